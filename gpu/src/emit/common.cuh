#ifndef VERNIER_EXPLICIT_CASTS
#define VERNIER_EXPLICIT_CASTS 1
#endif
#if VERNIER_EXPLICIT_CASTS
#define VERNIER_CAST explicit
#else
#define VERNIER_CAST
#endif

#if !defined(__CUDACC_RTC__)
#include <limits>
#endif

namespace vernier {

/// Which sequence an operation runs.
enum class accuracy { low = 1, mid = 2, high = 3 };

/// As std::numeric_limits, which is specialised alike where the standard library is there.
template <class T> struct numeric_limits;

template <accuracy A> class basic_fp32mp2;
template <accuracy A> class basic_fp64mp2;

namespace detail {

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <class S, class T> struct is_same { static constexpr bool value = false; };
template <class T> struct is_same<T, T> { static constexpr bool value = true; };

/// A type of one number: how it converts, and whether every value of it is a limb.
template <class S> struct scalar { static constexpr bool value = false; };
#define VERNIER_SCALAR(T, in32, in64)                                                                                  \
    template <> struct scalar<T> { static constexpr bool value = true, limb32 = in32, limb64 = in64; };
VERNIER_SCALAR(bool, true, true)
VERNIER_SCALAR(char, true, true)
VERNIER_SCALAR(signed char, true, true)
VERNIER_SCALAR(unsigned char, true, true)
VERNIER_SCALAR(short, true, true)
VERNIER_SCALAR(unsigned short, true, true)
VERNIER_SCALAR(int, false, true)
VERNIER_SCALAR(unsigned, false, true)
VERNIER_SCALAR(long, false, sizeof(long) == 4)
VERNIER_SCALAR(unsigned long, false, sizeof(long) == 4)
VERNIER_SCALAR(long long, false, false)
VERNIER_SCALAR(unsigned long long, false, false)
VERNIER_SCALAR(float, true, true)
VERNIER_SCALAR(double, false, true)
#undef VERNIER_SCALAR

// Conversions in constant expressions; at run time the recorded functions run.
#if defined(__CUDACC_RTC_FLOAT128__) || (defined(__SIZEOF_FLOAT128__) && !defined(__CUDACC_RTC__))
// Device compilers for less than sm_100 refuse the type where it could be used.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1000
#define VERNIER_HD128 __host__
#else
#define VERNIER_HD128 VERNIER_HD
#endif
struct words128 { vernier_u64 lo, hi; };
#endif

template <class T> VERNIER_HD constexpr T constant_infinity() { return T(__builtin_bit_cast(float, 0x7f800000u)); }
template <class T> VERNIER_HD constexpr T constant_nan() { return T(__builtin_bit_cast(float, 0x7fc00000u)); }

template <class P, class T, class S> VERNIER_HD constexpr P constant_integer(S x)
{
    // Not `x < 0`, which compilers remark on where S is unsigned.
    const bool negative = x < S(1) && x != S(0);
    const vernier_u64 m = negative ? 0 - (vernier_u64)x : (vernier_u64)x;
    const T hi = T(m);
    const vernier_u64 whole = hi < T(18446744073709551616.0) ? vernier_u64(hi) : 0u;
    const T lo = T((long long)(m - whole));
    return negative ? P{-hi, T(0) - lo} : P{hi, lo};
}

VERNIER_HD constexpr vernier_pair32 constant_double(float, double x)
{
    if (x != x) return {constant_nan<float>(), 0.0f};
    if (x >= 0x1.ffffffp127) return {constant_infinity<float>(), 0.0f};
    if (x <= -0x1.ffffffp127) return {-constant_infinity<float>(), 0.0f};
    const float hi = float(x);
    return hi == 0.0f ? vernier_pair32{hi, 0.0f} : vernier_pair32{hi, float(x - double(hi)) + 0.0f};
}
VERNIER_HD constexpr vernier_pair64 constant_double(double, double x) { return {x != x ? constant_nan<double>() : x, 0.0}; }

/// Whether operations of T round once each, in the order in which they are written, and keep infinities, NaN and subnormal
/// numbers. `small` is far below half an ulp of 1, `least` the least subnormal number.
template <class T> VERNIER_HD inline bool is_sound(T small, T least)
{
    const volatile T v[] = {T(1), T(3), small, least, T(__builtin_bit_cast(float, 0x7f800000u))};
    const T one = v[0], three = v[1], t = v[2], tiny = v[3], infinity = v[4];
    // two_sum.
    const T s = vernier_add(one, t), b = vernier_sub(s, one);
    const T rest = vernier_add(vernier_sub(one, vernier_sub(s, b)), vernier_sub(t, b));
    // A product is not fused with what is added to it.
    const T third = vernier_div(one, three);
    const T apart = vernier_sub(vernier_mul(third, three), one), fused = vernier_fma(third, three, -one);
    const T nan = vernier_sub(infinity, infinity);
    const T kept = vernier_mul(tiny, one), sum = vernier_add(tiny, tiny);
    return s == one && rest == t && apart == T(0) && fused != T(0) && vernier_add(infinity, one) == infinity &&
           !(vernier_abs(infinity) < infinity) && nan != nan && !(nan < one) && !(one <= nan) &&
           vernier_bits(-vernier_sub(one, one)) != 0 && vernier_bits(kept) == 1 && vernier_bits(sum) == 2 && T(0) < tiny && tiny < sum;
}

} // namespace detail

/// Whether this build computes as it must: false where options that no macro shows change results. Say so once at the start of a
/// program, on the device too.
VERNIER_HD inline bool self_test()
{
    return detail::is_sound(0x1p-40f, vernier_f32(1)) && detail::is_sound(0x1p-80, vernier_f64(1));
}

} // namespace vernier
#endif
