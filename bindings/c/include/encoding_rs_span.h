/*
 * Part of encoding_rs_cpp.h and encoding_rs_mem_cpp.h: a view of a sequence in memory, for C++17.
 *
 * Any container with data() and size() converts to it, such as std::vector, std::string, std::span
 * and gsl::span, and so do arrays.
 */

#pragma once

#ifndef ENCODING_RS_SPAN_H
#define ENCODING_RS_SPAN_H

#include <cassert>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace encoding_rs {

template <class T>
class span {
public:
    using element_type = T;
    using value_type = std::remove_cv_t<T>;
    using iterator = T *;

    constexpr span() noexcept = default;

    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}

    template <std::size_t N>
    constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}

    /* From a container. A temporary one only if it cannot be written to. */
    template <class C,
              class Element = std::remove_pointer_t<decltype(std::declval<C &>().data())>,
              class = decltype(std::declval<C &>().size()),
              class = std::enable_if_t<std::is_convertible_v<Element (*)[], T (*)[]> &&
                                       (std::is_const_v<T> || std::is_lvalue_reference_v<C>) &&
                                       !std::is_same_v<std::decay_t<C>, span>>>
    constexpr span(C &&container) noexcept
        : data_(container.data()), size_(static_cast<std::size_t>(container.size())) {}

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }

    constexpr T &operator[](std::size_t index) const {
        assert(index < size_);
        return data_[index];
    }

    /* Returns the elements from `offset` on. */
    constexpr span subspan(std::size_t offset) const {
        assert(offset <= size_);
        return {data_ + offset, size_ - offset};
    }

    /* Returns the first `count` elements. */
    constexpr span first(std::size_t count) const {
        assert(count <= size_);
        return {data_, count};
    }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace encoding_rs

#endif
