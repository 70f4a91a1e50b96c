// The results of all operations of the classes of emulated doubles, as words; an unpacked number is three of them. On hosts
// and devices.
#include "vernier.cuh"

using namespace vernier;
using word = unsigned long long;

/// Where results go.
struct Results {
    word *at;
    /// Of each word, the expression; on a host only, and none if it is not asked for.
    const char **names;

    VERNIER_HD void put(word x) { *at++ = x; }
    VERNIER_HD void put(double x) { put(__builtin_bit_cast(word, x)); }
    VERNIER_HD void put(float x) { put((word)__builtin_bit_cast(unsigned, x)); }
    VERNIER_HD void put(bool x) { put((word)x); }
    VERNIER_HD void put(long long x) { put((word)x); }
    VERNIER_HD void put(int x) { put((word)(long long)x); }
    VERNIER_HD void put(unsigned x) { put((word)x); }
    template <accuracy A> VERNIER_HD void put(basic_fp64emu<A> x) { put(x.bits()); }
    template <accuracy A> VERNIER_HD void put(basic_fp64emu_unpacked<A> x)
    {
        put((word)x.sign()), put((word)(unsigned)x.exponent()), put(x.significand());
    }
#if !defined(__CUDA_ARCH__)
    template <class T> VERNIER_HD void put(T x, const char *name)
    {
        const word *const from = at;
        put(x);
        for (const word *p = from; names && p < at; p++) *names++ = name;
    }
#endif
};
#if defined(__CUDA_ARCH__)
#define PUT(x) to.put(x)
#else
#define PUT(x) to.put(x, #x)
#endif

/// What both forms have.
template <class T> VERNIER_HD void common(T a, T b, T c, T d, word w, Results &to)
{
    PUT(a + b), PUT(a - b), PUT(a * b), PUT(a / b), PUT(sqrt(a)), PUT(fma(a, b, c)), PUT(mad(a, b, c)), PUT(dot(a, b, c, d));
    T re, im;
    cmul(a, b, c, d, re, im);
    PUT(re), PUT(im), PUT(-a), PUT(+a);
    PUT(a == b), PUT(a != b), PUT(a < b), PUT(a <= b), PUT(a > b), PUT(a >= b), PUT(a == a);

    T x = a;
    PUT(x++), PUT(x--), PUT(++x), PUT(--x);
    x = a, x += b, PUT(x), x -= c, PUT(x), x *= d, PUT(x), x /= b, PUT(x);

    // Other levels; the type stays.
    PUT(add<accuracy::low>(a, b)), PUT(sub<accuracy::mid>(a, b)), PUT(mul<accuracy::high>(a, b)), PUT(div<accuracy::low>(a, b));
    PUT(fma<accuracy::mid>(a, b, c)), PUT(mad<accuracy::high>(a, b, c)), PUT(dot<accuracy::low>(a, b, c, d));
    PUT(sqrt<accuracy::mid>(a));
    cmul<accuracy::low>(a, b, c, d, re, im), PUT(re), PUT(im);

    PUT(__dadd_rn(a, b)), PUT(__dsub_rn(a, b)), PUT(__dmul_rn(a, b)), PUT(__ddiv_rn(a, b)), PUT(__dsqrt_rn(a));
    PUT(__fma_rn(a, b, c)), PUT(__mad_rn(a, b, c));

    PUT(fabs(b)), PUT(copysign(a, b)), PUT(signbit(a)), PUT(isnan(a)), PUT(isinf(a)), PUT(isfinite(b));
    PUT(fmin(a, b)), PUT(fmax(a, b));

    // Scalars.
    const double y = __builtin_bit_cast(double, w);
    const float f = __builtin_bit_cast(float, (unsigned)w);
    PUT(a + y), PUT(y - a), PUT(a * f), PUT(f / a), PUT(a - (int)w), PUT((unsigned)w * a), PUT(a + (long long)w), PUT(w / a);
    PUT(fmin(a, y)), PUT(fmax(2, a));
    PUT(a < y), PUT(y < a), PUT((int)w >= a), PUT(a != (unsigned short)w), PUT(fma(a, y, f)), PUT(mad((int)w, a, y));
    x = a, x += y, PUT(x), x -= f, PUT(x), x *= (short)w, PUT(x), x /= (unsigned)w, PUT(x);
    PUT(T(y)), PUT(T(f)), PUT(T((w & 1) != 0)), PUT(T((char)w)), PUT(T((signed char)w)), PUT(T((unsigned char)w));
    PUT(T((short)w)), PUT(T((unsigned short)w)), PUT(T((int)w)), PUT(T((unsigned)w)), PUT(T((long)w)), PUT(T((unsigned long)w));
    PUT(T((long long)w)), PUT(T(w));

    const double to_double = a;
    const float to_float = a;
    PUT(to_double), PUT(to_float), PUT((bool)a), PUT((int)(char)a), PUT((int)(signed char)a), PUT((unsigned)(unsigned char)a);
    PUT((int)(short)a), PUT((unsigned)(unsigned short)a), PUT((int)a), PUT((unsigned)a), PUT((long long)(long)a);
    PUT((word)(unsigned long)a), PUT((long long)a), PUT((word)a);
}

#define DIRECTED(mode)                                                                                                 \
    PUT(__dadd_##mode(a, b)), PUT(__dsub_##mode(a, b)), PUT(__dmul_##mode(a, b)), PUT(__ddiv_##mode(a, b));            \
    PUT(__dsqrt_##mode(a)), PUT(__fma_##mode(a, b, c)), PUT(__dadd_##mode(a, 1)), PUT(__fma_##mode(2.0f, b, c))
#define CONVERSIONS(mode)                                                                                              \
    PUT(__double2float_##mode(a)), PUT(__double2int_##mode(a)), PUT(__double2uint_##mode(a));                          \
    PUT(__double2ll_##mode(a)), PUT(__double2ull_##mode(a)), PUT(ll2double_##mode<T>((long long)n));                   \
    PUT(ull2double_##mode<T>(n)), PUT(pack_##mode(unpack(a) * unpack(b)))

template <accuracy A> VERNIER_HD void packed(const word *w, Results &to)
{
    using T = basic_fp64emu<A>;
    const T a = T::from_bits(w[0]), b = T::from_bits(w[1]), c = T::from_bits(w[2]), d = T::from_bits(w[3]);
    const word n = w[3];
    common(a, b, c, d, w[3], to);
    DIRECTED(rz);
    DIRECTED(ru);
    DIRECTED(rd);
    CONVERSIONS(rn);
    CONVERSIONS(rz);
    CONVERSIONS(ru);
    CONVERSIONS(rd);
    PUT(fp64emu_low(a)), PUT(fp64emu_unpacked_mid(a)), PUT(pack(unpack(a)));
}

template <accuracy A> VERNIER_HD void unpacked(const word *w, Results &to)
{
    using T = basic_fp64emu_unpacked<A>;
    using P = basic_fp64emu<A>;
    // Guard bits in every operand.
    const T third = T(1) / T(3);
    const T a = unpack(P::from_bits(w[0])) * third, b = unpack(P::from_bits(w[1])) * third;
    const T c = unpack(P::from_bits(w[2])) * third, d = unpack(P::from_bits(w[3]));
    common(a, b, c, d, w[3], to);
    PUT(fp64emu_unpacked_high(a)), PUT(fp64emu_mid(a)), PUT(pack(a));
    PUT(T::from_parts((unsigned)w[0], (int)w[1], w[2]));
}
#undef DIRECTED
#undef CONVERSIONS
#undef PUT

/// The forms at their levels, each with room for so many words.
constexpr int PARTS = 6, ROOM = 512;

template <int part> VERNIER_HD void evaluate(const word *w, Results &to)
{
    constexpr accuracy level = accuracy(part % 3 + 1);
    if constexpr (part < 3) packed<level>(w, to);
    else unpacked<level>(w, to);
}

#if defined(__CUDACC__)
#define KERNEL(part)                                                                                                   \
    extern "C" __global__ void evaluate##part(const word *operands, word *results, unsigned n)                         \
    {                                                                                                                  \
        const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;                                                      \
        if (t >= n) return;                                                                                            \
        Results to{results + (size_t)t * ROOM, nullptr};                                                               \
        evaluate<part>(operands + 4 * (size_t)t, to);                                                                  \
    }
KERNEL(0)
KERNEL(1)
KERNEL(2)
KERNEL(3)
KERNEL(4)
KERNEL(5)
#undef KERNEL
#endif
