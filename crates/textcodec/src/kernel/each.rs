//! `map` for short arrays without a loop. `[T; N]::map` is several functions with loops, which the compiler has to unroll in
//! each kernel: with it, the library takes longer to build.

pub(crate) trait Each<T, R> {
    type Results;

    /// Calls `act` with each element, in order.
    fn each(self, act: impl FnMut(T) -> R) -> Self::Results;
}

macro_rules! arrays {
    ($($len:literal: $($element:ident)+;)+) => {$(
        impl<T, R> Each<T, R> for [T; $len] {
            type Results = [R; $len];

            #[inline(always)]
            fn each(self, mut act: impl FnMut(T) -> R) -> [R; $len] {
                let [$($element),+] = self;
                [$(act($element)),+]
            }
        }
    )+};
}

arrays! {
    2: a b;
    3: a b c;
    4: a b c d;
    8: a b c d e f g h;
}
