// The instrumented types on the host: plain computing. Compiled by g++ and by nvcc, run under g++.
#define VERNIER_ENABLE_STAT 1
#include "vernier.cuh"

#include <cstdio>
#include <type_traits>

using namespace vernier;

template <class A, class B> constexpr bool implicitly = std::is_convertible<A, B>::value;
template <class A, class B> constexpr bool with_cast = std::is_constructible<B, A>::value;

static_assert(sizeof(vernier_stat_record) == 456);
static_assert(std::is_trivially_copyable<fp32mp2_stat>::value && std::is_trivially_copyable<fp64mp2_stat_high>::value);
static_assert(sizeof(fp32mp2_stat) == 8 && alignof(fp32mp2_stat) == 8 && sizeof(fp64mp2_stat) == 16 && alignof(fp64mp2_stat) == 16);
static_assert(std::is_same<fp64mp2_stat::base_type, fp64mp2>::value && std::is_same<fp32mp2_stat_low::base_type, fp32mp2_low>::value);
static_assert(std::is_same<fp64mp2_stat, fp64mp2_stat_mid>::value && !std::is_same<fp64mp2_stat, fp64mp2_stat_high>::value);

// Plain pairs of the same level both ways, other levels with a cast, to double implicitly from fp32mp2_stat alone.
static_assert(implicitly<fp32mp2, fp32mp2_stat> && implicitly<fp32mp2_stat, fp32mp2>);
static_assert(implicitly<fp64mp2_low, fp64mp2_stat_low> && implicitly<fp64mp2_stat_low, fp64mp2_low>);
static_assert(!implicitly<fp64mp2_stat, fp64mp2_stat_low> && with_cast<fp64mp2_stat, fp64mp2_stat_low>);
static_assert(implicitly<fp32mp2_stat, fp64mp2_stat> && !implicitly<fp64mp2_stat, fp32mp2_stat> && with_cast<fp64mp2_stat, fp32mp2_stat>);
static_assert(implicitly<fp32mp2_stat, double> && !implicitly<fp64mp2_stat, double> && with_cast<fp64mp2_stat, double>);
static_assert(implicitly<float, fp32mp2_stat> && implicitly<int, fp32mp2_stat> && !implicitly<double, fp32mp2_stat>);
static_assert(implicitly<double, fp64mp2_stat> && implicitly<long long, fp64mp2_stat> && with_cast<double, fp32mp2_stat>);

// Contagion.
static_assert(std::is_same<decltype(fp64mp2_stat() + fp64mp2()), fp64mp2_stat>::value);
static_assert(std::is_same<decltype(fp64mp2() * fp64mp2_stat()), fp64mp2_stat>::value);
static_assert(std::is_same<decltype(1 - fp32mp2_stat()), fp32mp2_stat>::value);
static_assert(std::is_same<decltype(fp32mp2_stat_high() / 2.0f), fp32mp2_stat_high>::value);

static_assert(std::numeric_limits<fp64mp2_stat>::digits == 104 && std::numeric_limits<fp32mp2_stat_low>::digits10 == 13);
static_assert(std::is_same<decltype(std::numeric_limits<fp32mp2_stat>::max()), fp32mp2_stat>::value);
constexpr fp64mp2_stat third(0x1.5555555555555p-2, 0x1.5555555555555p-56);
constexpr fp32mp2_stat tenth(0.1);
static_assert(tenth.hi() == 0.1f && third.lo() != 0);

static int failures = 0;
#define EXPECT(condition)                                                                                              \
    if (!(condition)) failures++, std::printf("line %d: %s\n", __LINE__, #condition)

template <class S> void computing()
{
    using P = typename S::base_type;
    const P x(1.25f), y(3);
    S a = x, b = y;
    EXPECT((a + b).as_fpmp2() == x + y && (a - y).as_fpmp2() == x - y && (x * b).as_fpmp2() == x * y && (a / 3).as_fpmp2() == x / y);
    EXPECT((3 - a).as_fpmp2() == 3 - x && (2.0f * a).as_fpmp2() == 2.0f * x && (-a).as_fpmp2() == -x && +a == a);
    a += 2.0f;
    a -= 0.5f;
    a *= 2;
    a /= b;
    a += b;
    a -= y;
    EXPECT(a.hi() == P(P(x + 2.0f - 0.5f) * 2 / y + y - y).hi());
    EXPECT(a++ < a && --a < b && b >= y && y == b && b != 4 && 1 < b && b <= 3.5f);
    a.as_fpmp2() = y;
    P plain = a;
    EXPECT(plain == b && sqrt(a * a) == b && rsqrt(b * b) < 1 && fma(a, b, a) == 12 && mad(a, b, a) == 12);
    EXPECT(renormalize(a) == canonical(a) && (int)a == 3 && (float)a == 3.0f);
}

int main()
{
    computing<fp32mp2_stat_low>();
    computing<fp32mp2_stat>();
    computing<fp32mp2_stat_high>();
    computing<fp64mp2_stat_low>();
    computing<fp64mp2_stat>();
    computing<fp64mp2_stat_high>();
    return failures;
}
