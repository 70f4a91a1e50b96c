#![no_std]
#![forbid(unsafe_code)]
//! Double-word floating-point arithmetic.
