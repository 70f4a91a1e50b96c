//! Exact values, twice: [`mpfr`] by correctly rounded multiple precision, [`dyadic`] by integers alone, and [`series`], of
//! functions, by integers too. They share no code with MPFR beyond the types of their answers.

pub mod dyadic;
pub mod mpfr;
pub mod series;
