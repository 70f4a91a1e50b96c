#if defined(__cplusplus) && __cplusplus < 201703L
#define VERNIER_REFUSED
#error "vernier needs C++17"
#elif defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#define VERNIER_REFUSED
#error "vernier needs IEEE arithmetic: no excess precision"
#elif defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__) ||                       \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#define VERNIER_REFUSED
#error "vernier needs IEEE arithmetic: no -ffast-math, -fassociative-math, -fno-signed-zeros, -ffinite-math-only"
#elif defined(__CUDA_FTZ) && __CUDA_FTZ
#define VERNIER_REFUSED
#error "vernier needs IEEE arithmetic: no --use_fast_math and no -ftz=true"
#endif
#if !defined(VERNIER_REFUSED)
