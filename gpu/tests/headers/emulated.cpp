// Classes of emulated doubles: conversions, constants, and the results of all operations. Compiled by g++ and by nvcc.
//   emulated OPERANDS RESULTS   reads operands, four words at a time, and writes what the classes make of them: form by form
//                               and level by level, of all operands; prints the expression of every word of one set
//   emulated OPERANDS - device  compares that with what a CUDA device makes of them
#include "emulated.h"

#include <cmath>
#include <cstdio>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

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

using Evaluate = void (*)(const word *, Results &);
static const Evaluate EVALUATE[PARTS] = {evaluate<0>, evaluate<1>, evaluate<2>, evaluate<3>, evaluate<4>, evaluate<5>};

#if defined(__CUDACC__)
using Kernel = void (*)(const word *, word *, unsigned);
static const Kernel KERNELS[PARTS] = {evaluate0, evaluate1, evaluate2, evaluate3, evaluate4, evaluate5};

/// Words of a part that differ on the device, of n sets of operands.
static int differences(int part, const std::vector<word> &operands, const std::vector<const char *> &names)
{
    const size_t n = operands.size() / 4;
    word *in, *out;
    std::vector<word> got(n * ROOM), expected(ROOM);
    EXPECT(cudaMalloc(&in, 8 * operands.size()) == cudaSuccess && cudaMalloc(&out, 8 * got.size()) == cudaSuccess);
    EXPECT(cudaMemcpy(in, operands.data(), 8 * operands.size(), cudaMemcpyHostToDevice) == cudaSuccess);
    KERNELS[part]<<<(unsigned)(n + 63) / 64, 64>>>(in, out, (unsigned)n);
    EXPECT(cudaMemcpy(got.data(), out, 8 * got.size(), cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(cudaFree(in) == cudaSuccess && cudaFree(out) == cudaSuccess);
    int count = 0;
    for (size_t t = 0; t < n; t++) {
        Results to{expected.data(), nullptr};
        EVALUATE[part](&operands[4 * t], to);
        for (size_t i = 0; i < names.size(); i++) {
            if (got[t * ROOM + i] == expected[i]) continue;
            if (count++ < 4) std::printf("part %d: %s of operands %zu: %016llx\n", part, names[i], t, got[t * ROOM + i]);
        }
    }
    std::printf("part %d: %zu words, %d differ\n", part, n * names.size(), count);
    return count;
}
#endif

int main(int count, char **arguments)
{
    odds_and_ends<fp64emu>();
    odds_and_ends<fp64emu_mid>();
    odds_and_ends<fp64emu_low>();
    odds_and_ends<fp64emu_unpacked>();
    odds_and_ends<fp64emu_unpacked_mid>();
    odds_and_ends<fp64emu_unpacked_low>();

    std::vector<word> operands, results;
    std::FILE *file = std::fopen(arguments[1], "rb");
    word w[4];
    while (std::fread(w, sizeof w, 1, file) == 1) operands.insert(operands.end(), w, w + 4);
    std::fclose(file);

    for (int part = 0; part < PARTS; part++) {
        word words[ROOM];
        const char *room[ROOM];
        for (size_t i = 0; i < operands.size(); i += 4) {
            Results to{words, i == 0 ? room : nullptr};
            EVALUATE[part](&operands[i], to);
            results.insert(results.end(), words, to.at);
            if (i != 0) continue;
            const std::vector<const char *> names(room, room + (to.at - words));
#if defined(__CUDACC__)
            if (count > 3) failures += differences(part, operands, names);
#endif
            for (const char *name : names) std::printf("%d %s\n", part, name);
        }
    }
#if !defined(__CUDACC__)
    EXPECT(count == 3);
#endif
    if (count > 3) return failures != 0;
    file = std::fopen(arguments[2], "wb");
    EXPECT(std::fwrite(results.data(), sizeof(word), results.size(), file) == results.size());
    EXPECT(std::fclose(file) == 0);
    return failures != 0;
}
