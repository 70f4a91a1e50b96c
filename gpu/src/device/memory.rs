//! Memory of a device, and arguments of kernels.

use super::{cuda, opencl};
use std::marker::PhantomData;

/// Memory of a device, in bytes.
#[derive(Debug)]
pub(super) enum Memory {
    Cuda(cuda::Memory),
    OpenCl(opencl::Memory),
}

/// `len` values in the memory of a device.
#[derive(Debug)]
pub struct Buffer<T> {
    pub(super) memory: Memory,
    pub(super) len: usize,
    pub(super) of: PhantomData<T>,
}

impl<T> Buffer<T> {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The buffer as an argument of a kernel.
    pub fn arg(&self) -> Arg<'_> {
        Arg(Value::Memory(&self.memory))
    }
}

/// An argument of a kernel: a number ([`From`]) or a buffer ([`Buffer::arg`]).
#[derive(Clone, Copy, Debug)]
pub struct Arg<'a>(pub(super) Value<'a>);

#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
    Memory(&'a Memory),
}

macro_rules! numbers {
    ($($t:ty = $variant:ident;)*) => {$(
        impl From<$t> for Arg<'_> {
            fn from(x: $t) -> Self {
                Arg(Value::$variant(x))
            }
        }
    )*};
}

numbers! { u32 = U32; u64 = U64; f32 = F32; f64 = F64; }

impl<'a, T> From<&'a Buffer<T>> for Arg<'a> {
    fn from(x: &'a Buffer<T>) -> Self {
        x.arg()
    }
}
