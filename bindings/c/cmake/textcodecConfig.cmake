# Defines textcodec::textcodec, textcodec_detect, textcodec_iconv and encoding_c, and each with the suffix _static, of the
# libraries that are installed.
# `cargo xtask c install` replaces @ABI@, and @PREFIX@ by the path of the prefix from this folder.
get_filename_component(_textcodec_prefix "@PREFIX@" ABSOLUTE)
get_filename_component(_textcodec_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
foreach(_textcodec_name textcodec textcodec_detect textcodec_iconv encoding_c)
  if(EXISTS "${_textcodec_lib}/lib${_textcodec_name}.a" AND NOT TARGET textcodec::${_textcodec_name})
    set(_textcodec_include "${_textcodec_prefix}/include")
    if(_textcodec_name STREQUAL textcodec_iconv)
      # No program gets this iconv.h instead of the system's by accident.
      set(_textcodec_include "${_textcodec_include}/textcodec")
    endif()
    add_library(textcodec::${_textcodec_name} SHARED IMPORTED)
    set_target_properties(textcodec::${_textcodec_name} PROPERTIES
      IMPORTED_LOCATION "${_textcodec_lib}/lib${_textcodec_name}.so.@ABI@"
      IMPORTED_SONAME "lib${_textcodec_name}.so.@ABI@"
      INTERFACE_INCLUDE_DIRECTORIES "${_textcodec_include}")
    add_library(textcodec::${_textcodec_name}_static STATIC IMPORTED)
    set_target_properties(textcodec::${_textcodec_name}_static PROPERTIES
      IMPORTED_LOCATION "${_textcodec_lib}/lib${_textcodec_name}.a"
      INTERFACE_INCLUDE_DIRECTORIES "${_textcodec_include}")
  endif()
endforeach()
unset(_textcodec_include)
unset(_textcodec_name)
unset(_textcodec_lib)
unset(_textcodec_prefix)
