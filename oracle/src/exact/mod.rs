//! Exact values by MPFR ([`mpfr`]), and independently by integers: [`dyadic`] where these are exact, [`series`] of functions
//! otherwise. Integers share no code with MPFR beyond the types of their answers.

pub mod dyadic;
pub mod mpfr;
pub mod series;
