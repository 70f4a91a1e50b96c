//! Exact values, twice: [`mpfr`] by correctly rounded multiple precision, [`dyadic`] by integers alone. The two share no code
//! beyond the types of their answers.

pub mod dyadic;
pub mod mpfr;
