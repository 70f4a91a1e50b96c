//! Subjects, contracts and tables.
#![forbid(unsafe_code)]
