// What the header offers on the host; compiled by g++ and by nvcc, run under g++.
#include "vernier.cuh"

#include <cstdio>
#include <type_traits>

using namespace vernier;

template <class A, class B> constexpr bool implicitly = std::is_convertible<A, B>::value;
template <class A, class B> constexpr bool with_cast = std::is_constructible<B, A>::value;

static_assert(std::is_trivially_copyable<fp32mp2>::value && std::is_trivially_copyable<fp64mp2_high>::value);
static_assert(sizeof(fp32mp2) == 8 && alignof(fp32mp2) == 8 && sizeof(fp64mp2) == 16 && alignof(fp64mp2) == 16);

// The published conversion rules.
static_assert(implicitly<float, fp32mp2> && implicitly<bool, fp32mp2> && implicitly<short, fp32mp2>);
static_assert(implicitly<int, fp32mp2> && implicitly<unsigned, fp32mp2>);
static_assert(!implicitly<double, fp32mp2> && with_cast<double, fp32mp2>);
static_assert(!implicitly<long long, fp32mp2> && with_cast<unsigned long long, fp32mp2>);
static_assert(implicitly<float, fp64mp2> && implicitly<double, fp64mp2> && implicitly<long long, fp64mp2>);
static_assert(implicitly<fp32mp2, double> && !implicitly<fp64mp2, double> && with_cast<fp64mp2, double>);
static_assert(!implicitly<fp32mp2, float> && with_cast<fp32mp2, float> && !implicitly<fp64mp2, int>);
static_assert(implicitly<fp32mp2, fp64mp2> && !implicitly<fp64mp2, fp32mp2> && with_cast<fp64mp2, fp32mp2>);
static_assert(!implicitly<fp64mp2, fp64mp2_low> && with_cast<fp64mp2_low, fp64mp2_high>);

// Constant expressions.
constexpr fp32mp2 tenth(0.1);
static_assert(tenth.hi() == 0.1f && tenth.lo() == float(0.1 - double(0.1f)));
constexpr fp32mp2_high big(0x7fffffffffffffffll);
static_assert(big.hi() == 0x1p63f && big.lo() == -1.0f);
constexpr fp64mp2 least(-9223372036854775807ll - 1), most(~0ull);
static_assert(least.hi() == -0x1p63 && least.lo() == 0 && most.hi() == 0x1p64 && most.lo() == -1);
static_assert(std::numeric_limits<fp64mp2>::digits == 104 && std::numeric_limits<fp32mp2_low>::digits10 == 13);
static_assert(std::numeric_limits<fp32mp2>::max().lo() == 0x1.fffffep102f);

// Reduced formats: implicit where it is exact, as published.
using single = fp64_custom<8, 23>;
using native = fp64_custom<>;
static_assert(std::is_trivially_copyable<single>::value && sizeof(single) == 8 && alignof(single) == alignof(double));
static_assert(implicitly<double, native> && implicitly<int, native> && implicitly<float, native>);
static_assert(implicitly<float, single> && !implicitly<double, single> && with_cast<double, single>);
static_assert(!implicitly<int, single> && with_cast<int, single> && !implicitly<float, fp16> && with_cast<float, fp16>);
static_assert(implicitly<single, double> && implicitly<single, float> && !implicitly<native, float>);
static_assert(implicitly<fp16, float> && with_cast<native, float> && !implicitly<fp16, int> && with_cast<fp16, int>);
static_assert(!with_cast<fp16, bf16>);
static_assert(std::numeric_limits<single>::digits == 24 && std::numeric_limits<single>::digits10 == 6);
static_assert(std::numeric_limits<single>::max_digits10 == 9 && std::numeric_limits<single>::min_exponent == -125);
static_assert(std::numeric_limits<single>::max() == 0x1.fffffep127 && std::numeric_limits<single>::min() == 0x1p-126);
static_assert(std::numeric_limits<single>::denorm_min() == 0x1p-126 && std::numeric_limits<native>::denorm_min() == 0x1p-1074);
static_assert(std::numeric_limits<single>::max_exponent10 == 38 && std::numeric_limits<single>::min_exponent10 == -37);
static_assert(std::numeric_limits<fp8_e4m3>::max() == 448.0 && std::numeric_limits<fp8_e4m3>::denorm_min() == 0x1p-9);
static_assert(!std::numeric_limits<fp8_e4m3>::has_infinity && std::numeric_limits<fp4_e2m1>::max() == 6.0);
static_assert(!std::numeric_limits<single>::is_iec559 && std::numeric_limits<native>::is_iec559);

static int failures = 0;
#define EXPECT(condition)                                                                                              \
    if (!(condition)) failures++, std::printf("line %d: %s\n", __LINE__, #condition)

int main()
{
    // Functions, found by their arguments; of limbs that are in no order the value counts.
    {
        const fp64mp2 x(2.0, -0x1p-60), half(0.5, 0x1p-70);
        fp64mp2 whole;
        int e = 0;
        EXPECT(floor(x) == fp64mp2(1.0) && ceil(x) == fp64mp2(2.0) && round(half) == fp64mp2(1.0));
        EXPECT(rint(fp32mp2(0.5f)) == fp32mp2(0.0f) && lrint(x) == 2 && llround(-half) == -1);
        EXPECT(frexp(x, &e) == ldexp(x, -1) && e == 1 && ilogb(x) == 0 && scalbln(x, 3l) == ldexp(x, 3));
        EXPECT(modf(x, &whole) == fp64mp2(1.0, -0x1p-60) && whole == fp64mp2(1.0));
        EXPECT(fmin(x, fp64mp2(2.0)) == x && max(x, fp64mp2(2.0)) == fp64mp2(2.0) && fabs(-x) == x);
        EXPECT(fpmp_isfinite(x) && !isnan(x) && signbit(-x));
    }
    fp32mp2 a(1.5f), b(0.1);
    volatile fp32mp2 stored;
    stored = a;
    fp32mp2 c = stored;
    EXPECT(c == a && a != b && b < a && a >= 1.5 && 1 <= a);
    c += 2.0f;
    c -= 0.5f;
    EXPECT(c == 3);
    c *= 3;
    c /= 4.5f;
    EXPECT(c == fp32mp2(2) && c++ == 2 && --c == 2.0);
    EXPECT(double(c + 0.1 - 2.1) < 1e-13 && double(1 - b - 0.9) < 1e-13 && 2.5 * c == 5);
    if (!c) failures++;

    const fp64mp2_high d = 3, e = d / 7.0;
    EXPECT(double(fma(e, fp64mp2_high(7), -d)) < 1e-31);
    EXPECT((double(mad(d, d, e) - e - 9) < 1e-30 && sqrt(d * d) == 3 && renormalize(canonical(d)) == d));
    EXPECT(double(rsqrt(fp64mp2_high(4))) == 0.5);
    EXPECT(add<accuracy::low>(d, d) == 6 && div<accuracy::mid>(d, d) == 1 && fma<accuracy::high>(d, d, d) == 12);
    EXPECT((int)fp64mp2(-2.75) == -2 && (unsigned long long)most == ~0ull && (unsigned char)fp64mp2(300) == 255);
    EXPECT((signed char)fp32mp2(-300) == -128 && (float)fp32mp2(0.1) == 0.1f && (bool)fp64mp2(0, 0) == false);
    fp64mp2 f(e);
    f += 1;
    f -= 1.0;
    EXPECT(f > 0.42 && f < 0.43 && fp64mp2_low(f) == fp64mp2_low(f) && fp32mp2(f) < fp32mp2(0.43));
#if defined(__SIZEOF_FLOAT128__)
    EXPECT(fp64mp2((__float128)f) == f);
#endif

    const fp16 h(2048.0), one(1.0);
    EXPECT(h + one == 2048 && h + 2 == 2050 && fp16(65504.0) * 2 == std::numeric_limits<fp16>::infinity());
    EXPECT(sqrt(fp16(2.0)) == 1.4140625 && fma(h, one, -h) == 0 && 1 / fp16(3.0) == 0.333251953125 && -h < h);
    single s(0.1f);
    s += 0.1f;
    s /= 3.0;
    EXPECT(s == (0.1f + 0.1f) / 3.0f && (s++ - s) == -1 && double(s--) > 1 && (float)s == (float)double(s));
    EXPECT((fp64_custom<5, 10>(0.1) == 0.1 && fp64_custom<5, 10>(0.1).reduced() == 0.0999755859375));
    EXPECT((fp64_custom<4, 3, custom::ieee | custom::nan_only | custom::saturate>(400.0) * 3) == 448);
    EXPECT((fp64_custom<8, 23, custom::ieee | custom::upward>(1.0) + 0x1p-60 == 1 + 0x1p-23));
    EXPECT(custom::add(1.0, 0x1p-24, custom::format(8, 23)) == 1.0);
    EXPECT(fp32mp2::icdf(7u) == -fp32mp2::icdf(~7u) && fp64mp2::icdf(7ull) == -fp64mp2::icdf(~7ull));
    int ups = 0;
    for (int i = 0; i < 10000; i++) {
        ups += custom::add(1.0, 0x1p-9, custom::format(8, 7, custom::ieee | custom::stochastic), 42, i) > 1;
    }
    EXPECT(ups > 2300 && ups < 2700);
    custom_number n(0.1, custom::format(11, 0));
    n *= 3;
    EXPECT(double(n) == 0.25 && double(sqrt(n)) == 0.5);
    return failures;
}
