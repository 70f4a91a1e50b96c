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

static int failures = 0;
#define EXPECT(condition)                                                                                              \
    if (!(condition)) failures++, std::printf("line %d: %s\n", __LINE__, #condition)

int main()
{
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
    return failures;
}
