namespace vernier {

/// Reduced formats as values: what a kernel takes to choose a format at run time.
namespace custom {

// Departures from the published semantics, to be joined by |.
constexpr unsigned toward_zero = 1u << 10, upward = 2u << 10, downward = 3u << 10, ties_away = 4u << 10;
constexpr unsigned stochastic = 5u << 10;
constexpr unsigned gradual = 1u << 13, range_after = 1u << 14, single_rounding = 1u << 15, saturate = 1u << 16;
constexpr unsigned nan_only = 1u << 17, finite = 2u << 17, dynamic = 1u << 19;
constexpr unsigned ieee = gradual | range_after | single_rounding;

/// The format of E exponent bits (2 to 11; 2 to 10 with nan_only or finite) and M stored mantissa bits (0 to 52).
VERNIER_HD constexpr unsigned format(int e, int m, unsigned options = 0) { return (unsigned)e | (unsigned)m << 4 | options; }

// Operations in a format. Stochastic rounding takes its random bits from seed and number of the operation alone.
VERNIER_HD inline double add(double x, double y, unsigned format, vernier_u64 seed = 0, vernier_u64 operation = 0)
{
    return detail::fp64_custom_add(x, y, format, seed, operation);
}
VERNIER_HD inline double sub(double x, double y, unsigned format, vernier_u64 seed = 0, vernier_u64 operation = 0)
{
    return detail::fp64_custom_sub(x, y, format, seed, operation);
}
VERNIER_HD inline double mul(double x, double y, unsigned format, vernier_u64 seed = 0, vernier_u64 operation = 0)
{
    return detail::fp64_custom_mul(x, y, format, seed, operation);
}
VERNIER_HD inline double div(double x, double y, unsigned format, vernier_u64 seed = 0, vernier_u64 operation = 0)
{
    return detail::fp64_custom_div(x, y, format, seed, operation);
}
VERNIER_HD inline double sqrt(double x, unsigned format, vernier_u64 seed = 0, vernier_u64 operation = 0)
{
    return detail::fp64_custom_sqrt(x, format, seed, operation);
}
VERNIER_HD inline double fma(double x, double y, double z, unsigned format, vernier_u64 seed = 0, vernier_u64 operation = 0)
{
    return detail::fp64_custom_fma(x, y, z, format, seed, operation);
}
VERNIER_HD inline double reduce(double x, unsigned format, vernier_u64 seed = 0, vernier_u64 operation = 0)
{
    return detail::fp64_custom_reduce(x, format, seed, operation);
}

} // namespace custom

namespace detail {

/// Whether a conversion is implicit, as published: from float where every float is a number of the format, from others
/// where it is double; to double, and to float where every number of the format is one.
template <class S, int E, int M, bool implicit>
struct custom_from
    : enable_if<scalar<S>::value &&
                    ((E == 11 && M == 52) || (is_same<S, float>::value && E >= 8 && M >= 23)) == implicit, int> {};
template <class S, int E, int M, bool implicit>
struct custom_to
    : enable_if<scalar<S>::value &&
                    (is_same<S, double>::value || (is_same<S, float>::value && E <= 8 && M <= 23)) == implicit, int> {};

} // namespace detail

/// A double whose +, -, *, /, sqrt and fma are those of a format with E exponent and M stored mantissa bits: operands are
/// reduced, the operation is carried out, the result is reduced. Construction, comparison and negation do not reduce. A
/// native axis costs nothing. Functions that would not be reduced are deleted.
template <int E = 11, int M = 52, unsigned Options = 0> class fp64_custom {
    static_assert(E >= 2 && E <= 11 && M >= 0 && M <= 52, "fp64_custom: E is 2 to 11, M is 0 to 52");
    static_assert(E <= 10 || (Options & (custom::nan_only | custom::finite)) == 0, "fp64_custom: E is at most 10 here");
    static_assert((Options >> 10 & 7) != 5, "fp64_custom: operators cannot count their random words, vernier::custom::add can");

    double value_;
    template <class S, class R = void> using if_scalar = typename detail::enable_if<detail::scalar<S>::value, R>::type;
    template <class S, bool from> using if_from = typename detail::custom_from<S, E, M, from>::type;
    template <class S, bool to> using if_to = typename detail::custom_to<S, E, M, to>::type;

public:
    static constexpr unsigned format = custom::format(E, M, Options);

    fp64_custom() = default;
    template <class S, if_from<S, true> = 0>
    VERNIER_HD constexpr fp64_custom(S x) : value_(double(x)) {}
    template <class S, if_from<S, false> = 0>
    VERNIER_HD constexpr VERNIER_CAST fp64_custom(S x) : value_(double(x)) {}

    template <class S, if_to<S, true> = 0>
    VERNIER_HD constexpr operator S() const { return S(value_); }
    template <class S, if_to<S, false> = 0>
    VERNIER_HD constexpr VERNIER_CAST operator S() const { return S(value_); }

    /// The number in the format, as an operand is taken.
    VERNIER_HD fp64_custom reduced() const { return fp64_custom(custom::reduce(value_, format)); }

    VERNIER_HD constexpr fp64_custom operator+() const { return *this; }
    VERNIER_HD constexpr fp64_custom operator-() const { return fp64_custom(-value_); }

#define VERNIER_OPERATOR(op, name)                                                                                     \
    VERNIER_HD friend fp64_custom operator op(fp64_custom x, fp64_custom y)                                            \
    {                                                                                                                  \
        return fp64_custom(custom::name(x.value_, y.value_, format));                                                  \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend if_scalar<S, fp64_custom> operator op(fp64_custom x, S y)                     \
    {                                                                                                                  \
        return x op fp64_custom(y);                                                                                    \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend if_scalar<S, fp64_custom> operator op(S x, fp64_custom y)                     \
    {                                                                                                                  \
        return fp64_custom(x) op y;                                                                                    \
    }                                                                                                                  \
    VERNIER_HD fp64_custom &operator op##=(fp64_custom y) { return *this = *this op y; }                               \
    template <class S> VERNIER_HD if_scalar<S, fp64_custom &> operator op##=(S y) { return *this = *this op y; }
    VERNIER_OPERATOR(+, add)
    VERNIER_OPERATOR(-, sub)
    VERNIER_OPERATOR(*, mul)
    VERNIER_OPERATOR(/, div)
#undef VERNIER_OPERATOR

    VERNIER_HD fp64_custom &operator++() { return *this += 1.0; }
    VERNIER_HD fp64_custom &operator--() { return *this -= 1.0; }
    VERNIER_HD fp64_custom operator++(int) { const fp64_custom x = *this; ++*this; return x; }
    VERNIER_HD fp64_custom operator--(int) { const fp64_custom x = *this; --*this; return x; }

#define VERNIER_COMPARE(op)                                                                                            \
    VERNIER_HD friend constexpr bool operator op(fp64_custom x, fp64_custom y) { return x.value_ op y.value_; }        \
    template <class S> VERNIER_HD friend constexpr if_scalar<S, bool> operator op(fp64_custom x, S y)                  \
    {                                                                                                                  \
        return x.value_ op double(y);                                                                                  \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend constexpr if_scalar<S, bool> operator op(S x, fp64_custom y)                  \
    {                                                                                                                  \
        return double(x) op y.value_;                                                                                  \
    }
    VERNIER_COMPARE(==)
    VERNIER_COMPARE(!=)
    VERNIER_COMPARE(<)
    VERNIER_COMPARE(<=)
    VERNIER_COMPARE(>)
    VERNIER_COMPARE(>=)
#undef VERNIER_COMPARE

    VERNIER_HD friend fp64_custom sqrt(fp64_custom x) { return fp64_custom(custom::sqrt(x.value_, format)); }
    VERNIER_HD friend fp64_custom fma(fp64_custom x, fp64_custom y, fp64_custom z)
    {
        return fp64_custom(custom::fma(x.value_, y.value_, z.value_, format));
    }

    // They would be carried out in double.
#define VERNIER_DELETED(name)                                                                                          \
    VERNIER_HD friend void name(fp64_custom) = delete;                                                                 \
    VERNIER_HD friend void name(fp64_custom, fp64_custom) = delete;
    VERNIER_DELETED(exp) VERNIER_DELETED(exp2) VERNIER_DELETED(exp10) VERNIER_DELETED(expm1) VERNIER_DELETED(log)
    VERNIER_DELETED(log2) VERNIER_DELETED(log10) VERNIER_DELETED(log1p) VERNIER_DELETED(pow) VERNIER_DELETED(cbrt)
    VERNIER_DELETED(hypot) VERNIER_DELETED(sin) VERNIER_DELETED(cos) VERNIER_DELETED(tan) VERNIER_DELETED(asin)
    VERNIER_DELETED(acos) VERNIER_DELETED(atan) VERNIER_DELETED(atan2) VERNIER_DELETED(sinh) VERNIER_DELETED(cosh)
    VERNIER_DELETED(tanh) VERNIER_DELETED(asinh) VERNIER_DELETED(acosh) VERNIER_DELETED(atanh) VERNIER_DELETED(erf)
    VERNIER_DELETED(erfc) VERNIER_DELETED(tgamma) VERNIER_DELETED(lgamma) VERNIER_DELETED(fmod) VERNIER_DELETED(rsqrt)
    VERNIER_DELETED(floor) VERNIER_DELETED(ceil) VERNIER_DELETED(trunc) VERNIER_DELETED(round) VERNIER_DELETED(rint)
#undef VERNIER_DELETED
};

/// A number whose format is a value, for example a kernel's argument. Results have the format of the first operand.
class custom_number {
    double value_;
    unsigned format_;

public:
    custom_number() = default;
    VERNIER_HD constexpr custom_number(double x, unsigned format) : value_(x), format_(format) {}
    VERNIER_HD constexpr explicit operator double() const { return value_; }
    VERNIER_HD constexpr unsigned format() const { return format_; }
    VERNIER_HD constexpr custom_number operator-() const { return {-value_, format_}; }
#define VERNIER_OPERATOR(op, name)                                                                                     \
    VERNIER_HD friend custom_number operator op(custom_number x, custom_number y)                                      \
    {                                                                                                                  \
        return {custom::name(x.value_, y.value_, x.format_), x.format_};                                               \
    }                                                                                                                  \
    VERNIER_HD friend custom_number operator op(custom_number x, double y) { return x op custom_number(y, x.format_); }\
    VERNIER_HD friend custom_number operator op(double x, custom_number y) { return custom_number(x, y.format_) op y; }\
    VERNIER_HD custom_number &operator op##=(custom_number y) { return *this = *this op y; }                           \
    VERNIER_HD custom_number &operator op##=(double y) { return *this = *this op y; }
    VERNIER_OPERATOR(+, add)
    VERNIER_OPERATOR(-, sub)
    VERNIER_OPERATOR(*, mul)
    VERNIER_OPERATOR(/, div)
#undef VERNIER_OPERATOR
    VERNIER_HD friend bool operator==(custom_number x, custom_number y) { return x.value_ == y.value_; }
    VERNIER_HD friend bool operator!=(custom_number x, custom_number y) { return x.value_ != y.value_; }
    VERNIER_HD friend bool operator<(custom_number x, custom_number y) { return x.value_ < y.value_; }
    VERNIER_HD friend bool operator<=(custom_number x, custom_number y) { return x.value_ <= y.value_; }
    VERNIER_HD friend bool operator>(custom_number x, custom_number y) { return x.value_ > y.value_; }
    VERNIER_HD friend bool operator>=(custom_number x, custom_number y) { return x.value_ >= y.value_; }
    VERNIER_HD friend custom_number sqrt(custom_number x) { return {custom::sqrt(x.value_, x.format_), x.format_}; }
    VERNIER_HD friend custom_number fma(custom_number x, custom_number y, custom_number z)
    {
        return {custom::fma(x.value_, y.value_, z.value_, x.format_), x.format_};
    }
};

// Presets: IEEE and OCP (2023) formats, IEEE semantics.
using fp16 = fp64_custom<5, 10, custom::ieee>;
using bf16 = fp64_custom<8, 7, custom::ieee>;
using tf32 = fp64_custom<8, 10, custom::ieee>;
using fp8_e4m3 = fp64_custom<4, 3, custom::ieee | custom::nan_only>;
using fp8_e5m2 = fp64_custom<5, 2, custom::ieee>;
using fp6_e2m3 = fp64_custom<2, 3, custom::ieee | custom::finite>;
using fp6_e3m2 = fp64_custom<3, 2, custom::ieee | custom::finite>;
using fp4_e2m1 = fp64_custom<2, 1, custom::ieee | custom::finite>;

template <int E, int M, unsigned Options> struct numeric_limits<fp64_custom<E, M, Options>> {
private:
    static constexpr int bias = (1 << (E - 1)) - 1;
    static constexpr bool nan_only = (Options & custom::nan_only) != 0, finite = (Options & custom::finite) != 0;
    static constexpr bool special = !nan_only && !finite;
    static constexpr bool subnormals = (Options & custom::gradual) != 0 || (E == 11 && !(Options & custom::dynamic));
    // The bits of the largest number.
    static constexpr vernier_u64 most =
        ((((1ull << E) << M) - 1 - (special ? 1ull << M : nan_only ? 1u : 0u)) << (52 - M)) + ((vernier_u64)(1023 - bias) << 52);
    VERNIER_HD static constexpr double of(vernier_u64 bits) { return __builtin_bit_cast(double, bits); }
    VERNIER_HD static constexpr double power(int e)
    {
        return of(e < -1022 ? 1ull << (e + 1074) : (vernier_u64)(e + 1023) << 52);
    }

public:
    using type = fp64_custom<E, M, Options>;
    static constexpr bool is_specialized = !(Options & custom::dynamic);
    static constexpr bool is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = special, has_quiet_NaN = true, has_signaling_NaN = true;
    static constexpr bool is_iec559 = E == 11 && M == 52, is_bounded = true, is_modulo = false, traps = false;
    static constexpr bool tinyness_before = false, has_denorm_loss = false, has_subnormals = subnormals;
    static constexpr int radix = 2, digits = M + 1, digits10 = M * 30103 / 100000;
    static constexpr int max_digits10 = 2 + (M + 1) * 30103 / 100000;
    static constexpr int min_exponent = 2 - bias, max_exponent = (int)(most >> 52) - 1023 + 1;
    static constexpr int min_exponent10 = min_exponent * 30103 / 100000, max_exponent10 = max_exponent * 30103 / 100000;
    VERNIER_HD static constexpr type min() noexcept { return type(power(1 - bias)); }
    VERNIER_HD static constexpr type max() noexcept { return type(of(most)); }
    VERNIER_HD static constexpr type lowest() noexcept { return type(-of(most)); }
    VERNIER_HD static constexpr type epsilon() noexcept { return type(power(-M)); }
    VERNIER_HD static constexpr type round_error() noexcept { return type(0.5); }
    VERNIER_HD static constexpr type infinity() noexcept { return type(of(0x7ff0000000000000ull)); }
    VERNIER_HD static constexpr type quiet_NaN() noexcept { return type(of(0x7ff8000000000000ull)); }
    VERNIER_HD static constexpr type signaling_NaN() noexcept { return type(of(0x7ff4000000000000ull)); }
    VERNIER_HD static constexpr type denorm_min() noexcept { return type(power(subnormals ? 1 - bias - M : 1 - bias)); }
};

#if defined(__CUDACC__)
#define VERNIER_SHUFFLE(name, T)                                                                                       \
    template <int E, int M, unsigned Options>                                                                          \
    __device__ fp64_custom<E, M, Options> name(unsigned mask, fp64_custom<E, M, Options> x, T lane, int width = 32)    \
    {                                                                                                                  \
        return fp64_custom<E, M, Options>(::name(mask, double(x), lane, width));                                       \
    }
VERNIER_SHUFFLE(__shfl_sync, int)
VERNIER_SHUFFLE(__shfl_up_sync, unsigned)
VERNIER_SHUFFLE(__shfl_down_sync, unsigned)
VERNIER_SHUFFLE(__shfl_xor_sync, int)
#undef VERNIER_SHUFFLE
#endif

} // namespace vernier

#if !defined(__CUDACC_RTC__)
namespace std {
template <int E, int M, unsigned Options>
struct numeric_limits<vernier::fp64_custom<E, M, Options>> : vernier::numeric_limits<vernier::fp64_custom<E, M, Options>> {
    static constexpr float_denorm_style has_denorm =
        vernier::numeric_limits<vernier::fp64_custom<E, M, Options>>::has_subnormals ? denorm_present : denorm_absent;
    static constexpr float_round_style round_style = (Options >> 10 & 7) == 1   ? round_toward_zero
                                                     : (Options >> 10 & 7) == 2 ? round_toward_infinity
                                                     : (Options >> 10 & 7) == 3 ? round_toward_neg_infinity
                                                                                : round_to_nearest;
};
} // namespace std
#endif

