//! Exact values, error measures, generators and worst-case search.
#![forbid(unsafe_code)]
