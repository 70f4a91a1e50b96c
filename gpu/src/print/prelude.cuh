#ifndef VERNIER_PRELUDE
#define VERNIER_PRELUDE

#if defined(__CUDACC__)
#define VERNIER_HD __host__ __device__
#define VERNIER_INLINE __host__ __device__ __forceinline__
#define VERNIER_RARE inline __host__ __device__ __noinline__
#define VERNIER_CALLED VERNIER_RARE
#else
#define VERNIER_HD
#define VERNIER_INLINE inline __attribute__((always_inline))
#define VERNIER_RARE inline __attribute__((noinline, cold))
#define VERNIER_CALLED inline __attribute__((noinline))
#endif
#define VERNIER_UNLIKELY(condition) __builtin_expect(condition, 0)

// A table in the memory of whoever reads it. Of an aligned row one instruction loads two doubles.
#define VERNIER_STRIP(...) __VA_ARGS__
#if defined(__CUDACC__)
#define VERNIER_TABLE(name, n, entries)                                                                                \
    alignas(32) static __device__ const vernier_u64 name##_device[n] = {VERNIER_STRIP entries};                        \
    static const vernier_u64 name##_host[n] = {VERNIER_STRIP entries};
#else
#define VERNIER_TABLE(name, n, entries) static const vernier_u64 name##_host[n] = {VERNIER_STRIP entries};
#endif
#if defined(__CUDA_ARCH__)
#define VERNIER_ENTRY(name, i) name##_device[i]
#else
#define VERNIER_ENTRY(name, i) name##_host[i]
#endif

typedef unsigned int vernier_u32;
typedef unsigned long long vernier_u64;
struct alignas(8) vernier_pair32 { float hi, lo; };
struct alignas(16) vernier_pair64 { double hi, lo; };
struct alignas(16) vernier_u128 { vernier_u64 hi, lo; };
struct alignas(16) vernier_unpacked { vernier_u32 sign, exponent; vernier_u64 significand; };
struct vernier_unpacked2 { vernier_unpacked re, im; };
struct vernier_pair32_i32 { float hi, lo; vernier_u32 n; };
struct vernier_pair64_i32 { double hi, lo; vernier_u32 n; };
struct vernier_pair32_pair { float hi, lo, second_hi, second_lo; };
struct vernier_pair64_pair { double hi, lo, second_hi, second_lo; };

#if defined(__CUDA_ARCH__)

#define VERNIER_ARITHMETIC(T, d, f)                                                                                    \
    VERNIER_INLINE T vernier_add(T a, T b) { return __##d##add_rn(a, b); }                                             \
    VERNIER_INLINE T vernier_sub(T a, T b) { return __##d##sub_rn(a, b); }                                             \
    VERNIER_INLINE T vernier_mul(T a, T b) { return __##d##mul_rn(a, b); }                                             \
    VERNIER_INLINE T vernier_mul_free(T a, T b) { return __##d##mul_rn(a, b); }                                        \
    VERNIER_INLINE T vernier_fma(T a, T b, T c) { return __##f##_rn(a, b, c); }                                        \
    VERNIER_INLINE T vernier_div(T a, T b) { return __##d##div_rn(a, b); }                                             \
    VERNIER_INLINE T vernier_sqrt(T a) { return __##d##sqrt_rn(a); }                                                   \
    VERNIER_INLINE T vernier_neg(T a) { return -a; }
VERNIER_ARITHMETIC(float, f, fmaf)
VERNIER_ARITHMETIC(double, d, fma)
#undef VERNIER_ARITHMETIC

VERNIER_INLINE float vernier_f32(vernier_u32 bits) { return __uint_as_float(bits); }
VERNIER_INLINE double vernier_f64(vernier_u64 bits) { return __longlong_as_double((long long)bits); }
VERNIER_INLINE vernier_u32 vernier_bits(float a) { return __float_as_uint(a); }
VERNIER_INLINE vernier_u64 vernier_bits(double a) { return (vernier_u64)__double_as_longlong(a); }
VERNIER_INLINE float vernier_abs(float a) { return fabsf(a); }
VERNIER_INLINE double vernier_abs(double a) { return fabs(a); }
VERNIER_INLINE float vernier_copysign(float a, float b) { return copysignf(a, b); }
VERNIER_INLINE double vernier_copysign(double a, double b) { return copysign(a, b); }
// Range tests between powers of two need the high word alone, which keeps them off the FP64 pipe.
VERNIER_INLINE bool vernier_in(double a, double b, double c)
{
    return (vernier_u32)(__double2hiint(a) - __double2hiint(b)) < (vernier_u32)(__double2hiint(c) - __double2hiint(b));
}
VERNIER_INLINE bool vernier_magnitude_in(double a, double b, double c)
{
    const vernier_u32 low = 2 * (vernier_u32)__double2hiint(b);
    return 2 * (vernier_u32)__double2hiint(a) - low < 2 * (vernier_u32)__double2hiint(c) - low;
}
VERNIER_INLINE vernier_u32 vernier_mul_hi(vernier_u32 a, vernier_u32 b) { return __umulhi(a, b); }
VERNIER_INLINE vernier_u64 vernier_mul_hi(vernier_u64 a, vernier_u64 b) { return __umul64hi(a, b); }
// Opaque to the first of the two compilers, which would turn them into masks and shifts that the second one keeps.
VERNIER_INLINE vernier_u64 vernier_mul_wide(vernier_u32 a, vernier_u32 b)
{
    vernier_u64 r;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(r) : "r"(a), "r"(b));
    return r;
}
VERNIER_INLINE vernier_u64 vernier_join(vernier_u32 high, vernier_u32 low)
{
    vernier_u64 r;
    asm("mov.b64 %0, {%1, %2};" : "=l"(r) : "r"(low), "r"(high));
    return r;
}
VERNIER_INLINE vernier_u32 vernier_clz(vernier_u32 a) { return (vernier_u32)__clz((int)a); }
VERNIER_INLINE vernier_u32 vernier_clz(vernier_u64 a) { return (vernier_u32)__clzll((long long)a); }
// The product of operands below 2^63: no sum of partial products overflows.
VERNIER_INLINE vernier_u128 vernier_wide(vernier_u64 a, vernier_u64 b)
{
    vernier_u32 w0, w1, w2, w3;
    asm("mul.lo.u32 %0, %4, %6; mul.hi.u32 %1, %4, %6;"
        "mad.lo.cc.u32 %1, %5, %6, %1; madc.hi.u32 %2, %5, %6, 0;"
        "mad.lo.cc.u32 %1, %4, %7, %1; madc.hi.u32 %2, %4, %7, %2;"
        "mad.lo.cc.u32 %2, %5, %7, %2; madc.hi.u32 %3, %5, %7, 0;"
        : "=&r"(w0), "=&r"(w1), "=&r"(w2), "=&r"(w3)
        : "r"((vernier_u32)a), "r"((vernier_u32)(a >> 32)), "r"((vernier_u32)b), "r"((vernier_u32)(b >> 32)));
    return vernier_u128{(vernier_u64)w3 << 32 | w2, (vernier_u64)w1 << 32 | w0};
}
VERNIER_INLINE vernier_u64 vernier_wide_high(vernier_u64 a, vernier_u64 b) { return vernier_wide(a, b).hi; }
VERNIER_INLINE vernier_u64 vernier_wide_low(vernier_u64 a, vernier_u64 b) { return vernier_wide(a, b).lo; }
// (a, c) + (b, d) as (high, low).
VERNIER_INLINE vernier_u128 vernier_sum(vernier_u64 a, vernier_u64 b, vernier_u64 c, vernier_u64 d)
{
    vernier_u128 r;
    asm("add.cc.u64 %0, %4, %5; addc.u64 %1, %2, %3;" : "=&l"(r.lo), "=l"(r.hi) : "l"(a), "l"(b), "l"(c), "l"(d));
    return r;
}
VERNIER_INLINE vernier_u64 vernier_sum_high(vernier_u64 a, vernier_u64 b, vernier_u64 c, vernier_u64 d)
{
    return vernier_sum(a, b, c, d).hi;
}
VERNIER_INLINE vernier_u64 vernier_sum_low(vernier_u64 a, vernier_u64 b, vernier_u64 c, vernier_u64 d)
{
    return vernier_sum(a, b, c, d).lo;
}
// Shifts of PTX give 0 beyond the width; those of C++ are undefined there.
#define VERNIER_SHIFT(name, op)                                                                                        \
    VERNIER_INLINE vernier_u32 name(vernier_u32 a, vernier_u32 n)                                                      \
    {                                                                                                                  \
        vernier_u32 r;                                                                                                 \
        asm(op "32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(n));                                                           \
        return r;                                                                                                      \
    }                                                                                                                  \
    VERNIER_INLINE vernier_u64 name(vernier_u64 a, vernier_u32 n)                                                      \
    {                                                                                                                  \
        vernier_u64 r;                                                                                                 \
        asm(op "64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(n));                                                           \
        return r;                                                                                                      \
    }
VERNIER_SHIFT(vernier_shl, "shl.b")
VERNIER_SHIFT(vernier_shr, "shr.u")
#undef VERNIER_SHIFT
VERNIER_INLINE vernier_u32 vernier_clz_nonzero(vernier_u32 a)
{
    vernier_u32 n;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(n) : "r"(a));
    return n;
}
VERNIER_INLINE vernier_u32 vernier_clz_nonzero(vernier_u64 a)
{
    const vernier_u32 high = (vernier_u32)(a >> 32);
    const vernier_u32 n = vernier_clz_nonzero(high == 0 ? (vernier_u32)a : high);
    return high == 0 ? n + 32 : n;
}

#if defined(VERNIER_MUTANTS)
#define VERNIER_DIRECTED(T, d, f, mode)                                                                                \
    VERNIER_INLINE T vernier_add_##mode(T a, T b) { return __##d##add_##mode(a, b); }                                  \
    VERNIER_INLINE T vernier_sub_##mode(T a, T b) { return __##d##sub_##mode(a, b); }                                  \
    VERNIER_INLINE T vernier_mul_##mode(T a, T b) { return __##d##mul_##mode(a, b); }                                  \
    VERNIER_INLINE T vernier_fma_##mode(T a, T b, T c) { return __##f##_##mode(a, b, c); }                             \
    VERNIER_INLINE T vernier_div_##mode(T a, T b) { return __##d##div_##mode(a, b); }                                  \
    VERNIER_INLINE T vernier_rcp_##mode(T a) { return __##d##rcp_##mode(a); }                                          \
    VERNIER_INLINE T vernier_sqrt_##mode(T a) { return __##d##sqrt_##mode(a); }
VERNIER_DIRECTED(float, f, fmaf, rz)
VERNIER_DIRECTED(float, f, fmaf, ru)
VERNIER_DIRECTED(float, f, fmaf, rd)
VERNIER_DIRECTED(double, d, fma, rz)
VERNIER_DIRECTED(double, d, fma, ru)
VERNIER_DIRECTED(double, d, fma, rd)
#undef VERNIER_DIRECTED
VERNIER_INLINE float vernier_flush(float a) { return fabsf(a) < 0x1p-126f ? copysignf(0.0f, a) : a; }
VERNIER_INLINE double vernier_flush(double a) { return fabs(a) < 0x1p-1022 ? copysign(0.0, a) : a; }
#endif

#if VERNIER_FAST_SEEDS
inline __device__ __noinline__ float vernier_rcp_rare(float a) { return __frcp_rn(a); }

// The approximation and one fused correction. A subnormal or infinite operand or result leaves an error e that is
// large or NaN, since the approximation flushes.
VERNIER_INLINE float vernier_rcp(float a)
{
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    const float e = __fmaf_rn(-a, r, 1.0f);
    r = __fmaf_rn(r, e, r);
    if (VERNIER_UNLIKELY(!(fabsf(e) < 0.5f))) r = vernier_rcp_rare(a);
    return r;
}
VERNIER_INLINE double vernier_rcp(double a) { return __drcp_rn(a); }

// Operands here are moderate: neither they nor a result is subnormal, infinite or NaN, or the result is not used.
VERNIER_INLINE float vernier_rcp_moderate(float a)
{
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return __fmaf_rn(r, __fmaf_rn(-a, r, 1.0f), r);
}

// A correction of an approximation within one ulp is correctly rounded for every significand but all ones (Markstein
// 1990), and for that one if it starts from above: hence the approximation of the magnitude, rounded up.
VERNIER_INLINE double vernier_rcp_moderate(double a)
{
    const double m = fabs(a);
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(m));
    double e = __fma_rn(-m, r, 1.0);
    e = __fma_rn(e, e, e);
    r = __fma_ru(e, r, r);
    return copysign(__fma_rn(r, __fma_rn(-m, r, 1.0), r), a);
}

// The root: Markstein's correction of a r. Its reciprocal: of its own approximation in float, whose corrections hold for
// every significand; of r in double, rounded up as above.
VERNIER_INLINE void vernier_sqrt_rcp(float a, float &root, float &rcp)
{
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    const float s = __fmul_rn(a, r);
    root = __fmaf_rn(__fmaf_rn(-s, s, a), __fmul_rn(r, 0.5f), s);
    rcp = vernier_rcp_moderate(root);
}

VERNIER_INLINE void vernier_sqrt_rcp(double a, double &root, double &rcp)
{
    double r;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
    const double e = __fma_rn(-a, __dmul_rn(r, r), 1.0);
    r = __fma_rn(__fma_rn(e, 0.375, 0.5), __dmul_rn(r, e), r);
    const double s = __dmul_rn(a, r);
    root = __fma_rn(__fma_rn(-s, s, a), __dmul_rn(r, 0.5), s);
    r = __fma_ru(r, __fma_rn(-root, r, 1.0), r);
    rcp = __fma_rn(r, __fma_rn(-root, r, 1.0), r);
}
#else
VERNIER_INLINE float vernier_rcp(float a) { return __frcp_rn(a); }
VERNIER_INLINE double vernier_rcp(double a) { return __drcp_rn(a); }
#endif

#else

#if defined(__clang__)
#define VERNIER_KEEP(a)
#elif defined(__x86_64__)
#define VERNIER_KEEP(a) __asm__("" : "+x"(a))
#elif defined(__aarch64__)
#define VERNIER_KEEP(a) __asm__("" : "+w"(a))
#else
#define VERNIER_KEEP(a) __asm__("" : "+m"(a))
#endif

// Clang gives its builtin functions the options that the pragmas above take from everything else, and may part a fused operation
// where the machine has none: there the library's is called by a name that is no builtin's.
#if defined(__clang__) && defined(__x86_64__) && !defined(__FMA__) && !defined(__APPLE__)
extern "C" float vernier_library_fmaf(float, float, float) noexcept __asm__("fmaf");
extern "C" double vernier_library_fma(double, double, double) noexcept __asm__("fma");
#define VERNIER_FMA(f) vernier_library_fma##f
#else
#define VERNIER_FMA(f) __builtin_fma##f
#endif

// A product is kept where an addition could see it and a compiler could contract the two; what may be a fused result is
// kept before it is negated, since GCC merges the two and loses the sign of a zero.
#define VERNIER_ARITHMETIC(T, f)                                                                                       \
    VERNIER_INLINE T vernier_add(T a, T b) { return a + b; }                                                           \
    VERNIER_INLINE T vernier_sub(T a, T b) { return a - b; }                                                           \
    VERNIER_INLINE T vernier_mul(T a, T b) { T p = a * b; VERNIER_KEEP(p); return p; }                                 \
    VERNIER_INLINE T vernier_mul_free(T a, T b) { return a * b; }                                                      \
    VERNIER_INLINE T vernier_neg(T a) { VERNIER_KEEP(a); return -a; }                                                  \
    VERNIER_INLINE T vernier_fma(T a, T b, T c) { return VERNIER_FMA(f)(a, b, c); }                                     \
    VERNIER_INLINE T vernier_div(T a, T b) { return a / b; }                                                           \
    VERNIER_INLINE T vernier_rcp(T a) { return T(1) / a; }                                                             \
    VERNIER_INLINE T vernier_sqrt(T a) { return __builtin_sqrt##f(a); }                                                \
    VERNIER_INLINE T vernier_abs(T a) { return __builtin_fabs##f(a); }                                                 \
    VERNIER_INLINE T vernier_copysign(T a, T b) { return __builtin_copysign##f(a, b); }
VERNIER_ARITHMETIC(float, f)
VERNIER_ARITHMETIC(double, )
#undef VERNIER_ARITHMETIC

VERNIER_INLINE bool vernier_in(double a, double b, double c) { return b <= a && a < c; }
VERNIER_INLINE bool vernier_magnitude_in(double a, double b, double c) { return vernier_in(vernier_abs(a), b, c); }
VERNIER_INLINE float vernier_f32(vernier_u32 bits) { float a; __builtin_memcpy(&a, &bits, sizeof a); return a; }
VERNIER_INLINE double vernier_f64(vernier_u64 bits) { double a; __builtin_memcpy(&a, &bits, sizeof a); return a; }
VERNIER_INLINE vernier_u32 vernier_bits(float a) { vernier_u32 b; __builtin_memcpy(&b, &a, sizeof b); return b; }
VERNIER_INLINE vernier_u64 vernier_bits(double a) { vernier_u64 b; __builtin_memcpy(&b, &a, sizeof b); return b; }
VERNIER_INLINE vernier_u32 vernier_mul_hi(vernier_u32 a, vernier_u32 b) { return (vernier_u32)((vernier_u64)a * b >> 32); }
VERNIER_INLINE vernier_u64 vernier_mul_hi(vernier_u64 a, vernier_u64 b) { return (vernier_u64)((unsigned __int128)a * b >> 64); }
VERNIER_INLINE vernier_u64 vernier_mul_wide(vernier_u32 a, vernier_u32 b) { return (vernier_u64)a * b; }
VERNIER_INLINE vernier_u64 vernier_join(vernier_u32 high, vernier_u32 low) { return (vernier_u64)high << 32 | low; }
VERNIER_INLINE vernier_u32 vernier_clz(vernier_u32 a) { return a ? (vernier_u32)__builtin_clz(a) : 32u; }
VERNIER_INLINE vernier_u32 vernier_clz(vernier_u64 a) { return a ? (vernier_u32)__builtin_clzll(a) : 64u; }
VERNIER_INLINE vernier_u32 vernier_clz_nonzero(vernier_u32 a) { return (vernier_u32)__builtin_clz(a | 1); }
VERNIER_INLINE vernier_u32 vernier_clz_nonzero(vernier_u64 a) { return (vernier_u32)__builtin_clzll(a | 1); }
VERNIER_INLINE vernier_u64 vernier_wide_low(vernier_u64 a, vernier_u64 b) { return a * b; }
VERNIER_INLINE vernier_u64 vernier_wide_high(vernier_u64 a, vernier_u64 b) { return vernier_mul_hi(a, b); }
VERNIER_INLINE vernier_u64 vernier_sum_high(vernier_u64 a, vernier_u64 b, vernier_u64 c, vernier_u64 d)
{
    return a + b + (c + d < c);
}
VERNIER_INLINE vernier_u64 vernier_sum_low(vernier_u64, vernier_u64, vernier_u64 c, vernier_u64 d) { return c + d; }
VERNIER_INLINE vernier_u32 vernier_shl(vernier_u32 a, vernier_u32 n) { return n < 32 ? a << n : 0; }
VERNIER_INLINE vernier_u64 vernier_shl(vernier_u64 a, vernier_u32 n) { return n < 64 ? a << n : 0; }
VERNIER_INLINE vernier_u32 vernier_shr(vernier_u32 a, vernier_u32 n) { return n < 32 ? a >> n : 0; }
VERNIER_INLINE vernier_u64 vernier_shr(vernier_u64 a, vernier_u32 n) { return n < 64 ? a >> n : 0; }

#endif

#if !defined(__CUDA_ARCH__) || !VERNIER_FAST_SEEDS
#define VERNIER_MODERATE(T)                                                                                            \
    VERNIER_INLINE T vernier_rcp_moderate(T a) { return vernier_rcp(a); }                                              \
    VERNIER_INLINE void vernier_sqrt_rcp(T a, T &root, T &rcp) { root = vernier_sqrt(a); rcp = vernier_rcp(root); }
VERNIER_MODERATE(float)
VERNIER_MODERATE(double)
#undef VERNIER_MODERATE
#endif

#endif
