#if defined(__FAST_RELAXED_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#define VERNIER_REFUSED
#error "vernier needs IEEE arithmetic: no -cl-fast-relaxed-math and no -cl-finite-math-only"
#endif
#if !defined(VERNIER_REFUSED)
