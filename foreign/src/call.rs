//! The call of somebody else's code.

use crate::signature::{Number, Shape, Signature};
use std::ffi::{c_int, c_void};

/// A function of bits: arguments beyond its own are not looked at, results beyond its own are 0. Of binary128 there are high words and low
/// ones, which others do not look at.
pub type Call = Box<dyn Fn([u64; 3], [u64; 3]) -> [u64; 2]>;

/// Numbers as C passes them.
trait Real: Copy + Default {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

impl Real for f32 {
    fn of(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Real for f64 {
    fn of(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// The function at an address; none where its type is not one that Rust can pass.
///
/// # Safety
/// The address must be that of a function with this signature in C. That nobody can know of a library's symbol: so this is called
/// in a process that has nothing to lose.
pub unsafe fn bind(address: *mut c_void, signature: Signature) -> Option<Call> {
    // SAFETY: passed on to the caller.
    unsafe {
        match signature.number {
            Number::F32 => Some(of::<f32>(address, signature.shape)),
            Number::F64 => Some(of::<f64>(address, signature.shape)),
            Number::F128 => quad(address, signature.shape),
            Number::F16 | Number::BF16 => None,
        }
    }
}

/// # Safety
/// As of [`bind`].
unsafe fn of<T: Real + 'static>(address: *mut c_void, shape: Shape) -> Call {
    macro_rules! function {
        ($type:ty) => {
            // SAFETY: the caller's promise; pointers to functions have the size of others wherever libraries are loaded.
            unsafe { std::mem::transmute::<*mut c_void, $type>(address) }
        };
    }
    match shape {
        Shape::One => {
            let f = function!(extern "C" fn(T) -> T);
            Box::new(move |x, _| [f(T::of(x[0])).bits(), 0])
        }
        Shape::Two => {
            let f = function!(extern "C" fn(T, T) -> T);
            Box::new(move |x, _| [f(T::of(x[0]), T::of(x[1])).bits(), 0])
        }
        Shape::Three => {
            let f = function!(extern "C" fn(T, T, T) -> T);
            Box::new(move |x, _| [f(T::of(x[0]), T::of(x[1]), T::of(x[2])).bits(), 0])
        }
        Shape::TwoResults => {
            let f = function!(extern "C" fn(T, *mut T, *mut T));
            Box::new(move |x, _| {
                let (mut s, mut c) = (T::default(), T::default());
                f(T::of(x[0]), &raw mut s, &raw mut c);
                [s.bits(), c.bits()]
            })
        }
        Shape::AndInt => {
            let f = function!(extern "C" fn(T, *mut c_int) -> T);
            Box::new(move |x, _| {
                let mut n = 0;
                let y = f(T::of(x[0]), &raw mut n);
                [y.bits(), i64::from(n) as u64]
            })
        }
        Shape::AndNumber => {
            let f = function!(extern "C" fn(T, *mut T) -> T);
            Box::new(move |x, _| {
                let mut z = T::default();
                let y = f(T::of(x[0]), &raw mut z);
                [y.bits(), z.bits()]
            })
        }
    }
}

/// A function of binary128 with one result. Rust has no such type: the calling convention of System V for x86-64 passes it as it does
/// any vector of 128 bits, in one vector register.
///
/// # Safety
/// As of [`bind`].
#[cfg(all(target_arch = "x86_64", unix))]
unsafe fn quad(address: *mut c_void, shape: Shape) -> Option<Call> {
    use std::arch::x86_64::__m128i;
    use std::mem::transmute;
    // SAFETY: both are 16 bytes, for which every pattern is a value; the low word comes first.
    let of = |high: u64, low: u64| unsafe { transmute::<[u64; 2], __m128i>([low, high]) };
    // SAFETY: as above.
    let words = |y: __m128i| {
        let [low, high] = unsafe { transmute::<__m128i, [u64; 2]>(y) };
        [high, low]
    };
    macro_rules! quad {
        (type $i:literal) => {
            __m128i
        };
    }
    macro_rules! function {
        ($($i:literal)*) => {{
            // SAFETY: the caller's promise, as in `of`.
            let f = unsafe { transmute::<*mut c_void, extern "C" fn($(quad!(type $i)),*) -> __m128i>(address) };
            Some(Box::new(move |x: [u64; 3], low: [u64; 3]| words(f($(of(x[$i], low[$i])),*))))
        }};
    }
    match shape {
        Shape::One => function!(0),
        Shape::Two => function!(0 1),
        Shape::Three => function!(0 1 2),
        _ => None,
    }
}

/// Elsewhere nothing says how it is passed.
///
/// # Safety
/// None is needed.
#[cfg(not(all(target_arch = "x86_64", unix)))]
unsafe fn quad(_: *mut c_void, _: Shape) -> Option<Call> {
    None
}
