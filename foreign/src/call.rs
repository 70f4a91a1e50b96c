//! The call of somebody else's code.

use crate::signature::{Number, Shape, Signature};
use std::ffi::{c_int, c_void};

/// A function of bits: arguments beyond its own are not looked at, results beyond its own are 0.
pub type Call = Box<dyn Fn([u64; 3]) -> [u64; 2]>;

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

/// The function at an address.
///
/// # Safety
/// The address must be that of a function with this signature in C. That nobody can know of a library's symbol: so this is called
/// in a process that has nothing to lose.
pub unsafe fn bind(address: *mut c_void, signature: Signature) -> Call {
    // SAFETY: passed on to the caller.
    unsafe {
        match signature.number {
            Number::F32 => of::<f32>(address, signature.shape),
            Number::F64 => of::<f64>(address, signature.shape),
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
            Box::new(move |x| [f(T::of(x[0])).bits(), 0])
        }
        Shape::Two => {
            let f = function!(extern "C" fn(T, T) -> T);
            Box::new(move |x| [f(T::of(x[0]), T::of(x[1])).bits(), 0])
        }
        Shape::Three => {
            let f = function!(extern "C" fn(T, T, T) -> T);
            Box::new(move |x| [f(T::of(x[0]), T::of(x[1]), T::of(x[2])).bits(), 0])
        }
        Shape::TwoResults => {
            let f = function!(extern "C" fn(T, *mut T, *mut T));
            Box::new(move |x| {
                let (mut s, mut c) = (T::default(), T::default());
                f(T::of(x[0]), &raw mut s, &raw mut c);
                [s.bits(), c.bits()]
            })
        }
        Shape::AndInt => {
            let f = function!(extern "C" fn(T, *mut c_int) -> T);
            Box::new(move |x| {
                let mut n = 0;
                let y = f(T::of(x[0]), &raw mut n);
                [y.bits(), i64::from(n) as u64]
            })
        }
        Shape::AndNumber => {
            let f = function!(extern "C" fn(T, *mut T) -> T);
            Box::new(move |x| {
                let mut z = T::default();
                let y = f(T::of(x[0]), &raw mut z);
                [y.bits(), z.bits()]
            })
        }
    }
}
