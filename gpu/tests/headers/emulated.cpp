// Classes of emulated doubles: conversions, constants, and the results of all operations. Compiled by g++ and by nvcc, run
// under g++: reads operands, four words at a time, and writes what each class makes of them as 64-bit words, an unpacked
// number as three; prints the expression of every word of one set of operands.
#include "vernier.cuh"

#include <cmath>
#include <cstdio>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

using namespace vernier;
using word = unsigned long long;

template <class A, class B> constexpr bool implicitly = std::is_convertible<A, B>::value;
template <class A, class B> constexpr bool with_cast = std::is_constructible<B, A>::value;

static_assert(std::is_trivially_copyable<fp64emu>::value && std::is_trivially_copyable<fp64emu_unpacked>::value);
static_assert(sizeof(fp64emu) == 8 && alignof(fp64emu) == 8);
static_assert(sizeof(fp64emu_unpacked) == 16 && alignof(fp64emu_unpacked) == 16);
static_assert(std::is_same<fp64emu, fp64emu_high>::value && std::is_same<fp64emu_unpacked, fp64emu_unpacked_high>::value);

// The published rules: everything is implicit but conversions to an unpacked number, between the forms and of the level.
template <class S> constexpr bool rules()
{
    return implicitly<S, fp64emu> && implicitly<S, fp64emu_low> && implicitly<fp64emu, S> && implicitly<fp64emu_mid, S> &&
           implicitly<S, fp64emu_unpacked> == !VERNIER_EXPLICIT_CASTS && with_cast<S, fp64emu_unpacked_mid> &&
           implicitly<fp64emu_unpacked, S> && implicitly<fp64emu_unpacked_low, S>;
}
static_assert(rules<double>() && rules<float>() && rules<bool>() && rules<char>() && rules<signed char>());
static_assert(rules<unsigned char>() && rules<short>() && rules<unsigned short>() && rules<int>() && rules<unsigned>());
static_assert(rules<long>() && rules<unsigned long>() && rules<long long>() && rules<unsigned long long>());
template <class A, class B> constexpr bool cast_only = with_cast<A, B> && implicitly<A, B> == !VERNIER_EXPLICIT_CASTS;
static_assert(cast_only<fp64emu, fp64emu_mid> && cast_only<fp64emu_low, fp64emu> && cast_only<fp64emu, fp64emu_unpacked>);
static_assert(cast_only<fp64emu_unpacked_low, fp64emu> && cast_only<fp64emu_unpacked_mid, fp64emu_unpacked>);
#if defined(__SIZEOF_INT128__)
static_assert(!with_cast<__int128, fp64emu> && !with_cast<unsigned __int128, fp64emu> && !with_cast<fp64emu, __int128>);
static_assert(!with_cast<__int128, fp64emu_unpacked> && !with_cast<fp64emu_unpacked, unsigned __int128>);
#endif
static_assert(!with_cast<fp64emu *, fp64emu> && !with_cast<fp64emu, double *>);

// What an operation on two types gives; nothing mixes levels, forms or pairs.
template <class X, class Y, class = void> struct sum { using type = void; };
template <class X, class Y> struct sum<X, Y, decltype(void(std::declval<X>() + std::declval<Y>()))> {
    using type = decltype(std::declval<X>() + std::declval<Y>());
};
template <class X, class Y, class R> constexpr bool gives = std::is_same<typename sum<X, Y>::type, R>::value;
static_assert(gives<fp64emu, double, fp64emu> && gives<int, fp64emu_low, fp64emu_low> && gives<fp64emu, bool, fp64emu>);
static_assert(gives<fp64emu_unpacked, float, fp64emu_unpacked> && gives<long, fp64emu_unpacked_mid, fp64emu_unpacked_mid>);
static_assert(gives<fp64emu_mid, fp64emu_mid, fp64emu_mid> && gives<fp32mp2, float, fp32mp2> && gives<fp16, int, fp16>);

// Constant expressions.
constexpr fp64emu tenth = 0.1;
static_assert(double(fabs(-tenth)) == 0.1 && double(copysign(tenth, fp64emu(-0.0))) == -0.1 && !signbit(tenth));
static_assert(tenth.bits() == 0x3fb999999999999aull && double(tenth) == 0.1 && double(-tenth) == -0.1);
static_assert(fp64emu(1.5f).bits() == 0x3ff8000000000000ull && fp64emu_low(-3).bits() == 0xc008000000000000ull);
static_assert(double(fp64emu(~0ull)) == 0x1p64 && double(fp64emu_mid(-9223372036854775807ll - 1)) == -0x1p63);
static_assert(double(fp64emu::from_bits(1)) == 0x1p-1074 && double(fp64emu_low(tenth)) == 0.1);
constexpr fp64emu_unpacked most(~0ull), least(-1), smallest(0x1p-1074), nothing(-0.0);
static_assert(most.sign() == 0 && most.exponent() == 1023 + 63 && most.significand() == (1ull << 62) - 1);
static_assert(least.sign() == 1 && least.exponent() == 1023 && least.significand() == 1ull << 61);
static_assert(smallest.exponent() == 1023 - 1074 && smallest.significand() == 1ull << 61);
static_assert(nothing.sign() == 1 && nothing.exponent() == -(1 << 29) && nothing.significand() == 0);

template <class T> using limits = std::numeric_limits<T>;
static_assert(limits<fp64emu>::digits == 53 && limits<fp64emu>::is_iec559 && !limits<fp64emu_mid>::is_iec559);
static_assert(limits<fp64emu>::max_digits10 == 17 && limits<fp64emu_low>::min_exponent == limits<double>::min_exponent);
static_assert(limits<fp64emu>::max_exponent10 == limits<double>::max_exponent10);
static_assert(double(limits<fp64emu>::max()) == limits<double>::max());
static_assert(double(limits<fp64emu>::min()) == limits<double>::min());
static_assert(double(limits<fp64emu>::epsilon()) == limits<double>::epsilon());
static_assert(double(limits<fp64emu_low>::lowest()) == limits<double>::lowest());
static_assert(double(limits<fp64emu>::denorm_min()) == limits<double>::denorm_min());
static_assert(limits<fp64emu>::round_style == std::round_to_nearest);
static_assert(double(limits<fp64emu>::infinity()) == limits<double>::infinity());
static_assert(limits<fp64emu_unpacked>::digits == 62 && limits<fp64emu_unpacked>::digits10 == 18);
static_assert(limits<fp64emu_unpacked>::max_digits10 == 20 && limits<fp64emu_unpacked>::epsilon().exponent() == 1023 - 61);
static_assert(limits<fp64emu_unpacked>::max().exponent() == 2046 && limits<fp64emu_unpacked>::infinity().exponent() == 1 << 28);

static int failures = 0;
#define EXPECT(condition)                                                                                              \
    if (!(condition)) failures++, std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition)

static std::vector<word> results;
static void put(word x) { results.push_back(x); }
static void put(double x) { put(__builtin_bit_cast(word, x)); }
static void put(float x) { put((word)__builtin_bit_cast(unsigned, x)); }
static void put(bool x) { put((word)x); }
static void put(long long x) { put((word)x); }
static void put(int x) { put((word)(long long)x); }
static void put(unsigned x) { put((word)x); }
template <accuracy A> void put(basic_fp64emu<A> x) { put(x.bits()); }
template <accuracy A> void put(basic_fp64emu_unpacked<A> x)
{
    put((word)x.sign()), put((word)(unsigned)x.exponent()), put(x.significand());
}

// The expression of every result of the first operands.
static std::vector<const char *> names;
static bool naming = true;
#define PUT(x) (put(x), name(#x))
static void name(const char *x)
{
    while (naming && names.size() < results.size()) names.push_back(x);
}

/// What both forms have.
template <class T> void common(T a, T b, T c, T d, word w)
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

template <accuracy A> void packed(const word *w)
{
    using T = basic_fp64emu<A>;
    const T a = T::from_bits(w[0]), b = T::from_bits(w[1]), c = T::from_bits(w[2]), d = T::from_bits(w[3]);
    const word n = w[3];
    common(a, b, c, d, w[3]);
    DIRECTED(rz);
    DIRECTED(ru);
    DIRECTED(rd);
    CONVERSIONS(rn);
    CONVERSIONS(rz);
    CONVERSIONS(ru);
    CONVERSIONS(rd);
    PUT(fp64emu_low(a)), PUT(fp64emu_unpacked_mid(a)), PUT(pack(unpack(a)));
}

template <accuracy A> void unpacked(const word *w)
{
    using T = basic_fp64emu_unpacked<A>;
    using P = basic_fp64emu<A>;
    // Guard bits in every operand.
    const T third = T(1) / T(3);
    const T a = unpack(P::from_bits(w[0])) * third, b = unpack(P::from_bits(w[1])) * third;
    const T c = unpack(P::from_bits(w[2])) * third, d = unpack(P::from_bits(w[3]));
    common(a, b, c, d, w[3]);
    PUT(fp64emu_unpacked_high(a)), PUT(fp64emu_mid(a)), PUT(pack(a));
    PUT(T::from_parts((unsigned)w[0], (int)w[1], w[2]));
}

template <class T> void odds_and_ends()
{
    T x(3);
    EXPECT(x && !(x - 3) && -x < 0);
    EXPECT((x += 1) == 4 && sqrt(x) == 2 && 1.0 / x == 0.25f);
    EXPECT(T(limits<T>::quiet_NaN()) != limits<T>::quiet_NaN() && limits<T>::infinity() > limits<T>::max());
    EXPECT(limits<T>::max() > 0x1.fffffffffffffp1022 && limits<T>::lowest() == -limits<T>::max());
    cmul(x, x, x, x, x, x);
    EXPECT(x == 32);
    std::ostringstream stream;
    stream << "x = " << x / 3 << '\n';
    EXPECT(stream.str() == "x = 10.6667\n");
}

int main(int, char **arguments)
{
    odds_and_ends<fp64emu>();
    odds_and_ends<fp64emu_mid>();
    odds_and_ends<fp64emu_low>();
    odds_and_ends<fp64emu_unpacked>();
    odds_and_ends<fp64emu_unpacked_mid>();
    odds_and_ends<fp64emu_unpacked_low>();

    std::FILE *file = std::fopen(arguments[1], "rb");
    word w[4];
    while (std::fread(w, sizeof w, 1, file) == 1) {
        packed<accuracy::low>(w);
        packed<accuracy::mid>(w);
        packed<accuracy::high>(w);
        unpacked<accuracy::low>(w);
        unpacked<accuracy::mid>(w);
        unpacked<accuracy::high>(w);
        naming = false;
    }
    std::fclose(file);
    file = std::fopen(arguments[2], "wb");
    EXPECT(std::fwrite(results.data(), sizeof(word), results.size(), file) == results.size());
    EXPECT(std::fclose(file) == 0);
    for (const char *name : names) std::puts(name);
    return failures;
}
