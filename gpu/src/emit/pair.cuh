namespace vernier {

/// The unevaluated sum of two limbs, hi and lo.
template <accuracy A> class alignas(2 * sizeof(@limb@)) basic_@family@ {
    @limb@ hi_, lo_;
    using raw = @pair@;
    template <class S, class R = void> using if_scalar = typename detail::enable_if<detail::scalar<S>::value, R>::type;
    template <class S>
    using if_volatile = typename detail::enable_if<detail::is_same<S, volatile basic_@family@>::value ||
                                                   detail::is_same<S, const volatile basic_@family@>::value>::type;

public:
    using limb_type = @limb@;
    static constexpr accuracy level = A;

    basic_@family@() = default;
    VERNIER_HD constexpr basic_@family@(@limb@ hi, @limb@ lo) : hi_(hi), lo_(lo) {}
    VERNIER_HD constexpr explicit basic_@family@(raw x) : hi_(x.hi), lo_(x.lo) {}
    VERNIER_HD constexpr basic_@family@(@limb@ x) : hi_(x), lo_(0) {}
@conversions@
    /// The same number at another level: out of low the limbs are made canonical, otherwise they are copied.
    template <accuracy B, class = typename detail::enable_if<A != B>::type>
    VERNIER_HD VERNIER_CAST basic_@family@(basic_@family@<B> x)
        : basic_@family@(B == accuracy::low ? detail::@family@_canonical(x.limbs()) : x.limbs()) {}

    // Volatile storage. Templates, so that the type stays trivially copyable.
    template <class S, class = if_volatile<S>> VERNIER_HD basic_@family@(S &x) : hi_(x.hi_), lo_(x.lo_) {}
    template <class S, class = if_volatile<S>> VERNIER_HD basic_@family@ &operator=(S &x)
    {
        hi_ = x.hi_;
        lo_ = x.lo_;
        return *this;
    }
    template <class S, class = typename detail::enable_if<detail::is_same<S, basic_@family@>::value>::type>
    VERNIER_HD void operator=(const S &x) volatile
    {
        hi_ = x.hi_;
        lo_ = x.lo_;
    }

    VERNIER_HD constexpr @limb@ hi() const { return hi_; }
    VERNIER_HD constexpr @limb@ lo() const { return lo_; }
    VERNIER_HD constexpr raw limbs() const { return {hi_, lo_}; }

    VERNIER_HD constexpr basic_@family@ operator+() const { return *this; }
    VERNIER_HD constexpr basic_@family@ operator-() const
    {
        return __builtin_is_constant_evaluated() ? basic_@family@(-hi_, -lo_) : basic_@family@(vernier_neg(hi_), vernier_neg(lo_));
    }

#define VERNIER_OPERATOR(op, name)                                                                                     \
    VERNIER_HD friend basic_@family@ operator op(basic_@family@ x, basic_@family@ y)                                   \
    {                                                                                                                  \
        return basic_@family@(detail::arithmetic<@limb@, A>::name(x.limbs(), y.limbs()));                              \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend if_scalar<S, basic_@family@> operator op(basic_@family@ x, S y)               \
    {                                                                                                                  \
        return x op basic_@family@(y);                                                                                 \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend if_scalar<S, basic_@family@> operator op(S x, basic_@family@ y)               \
    {                                                                                                                  \
        return basic_@family@(x) op y;                                                                                 \
    }                                                                                                                  \
    VERNIER_HD basic_@family@ &operator op##=(basic_@family@ y) { return *this = *this op y; }
    VERNIER_OPERATOR(+, add)
    VERNIER_OPERATOR(-, sub)
    VERNIER_OPERATOR(*, mul)
    VERNIER_OPERATOR(/, div)
#undef VERNIER_OPERATOR

    template <class S> VERNIER_HD if_scalar<S, basic_@family@ &> operator+=(S c) { return accumulate(c, false); }
    template <class S> VERNIER_HD if_scalar<S, basic_@family@ &> operator-=(S c) { return accumulate(c, true); }
    template <class S> VERNIER_HD if_scalar<S, basic_@family@ &> operator*=(S y) { return *this = *this * y; }
    template <class S> VERNIER_HD if_scalar<S, basic_@family@ &> operator/=(S y) { return *this = *this / y; }

    VERNIER_HD basic_@family@ &operator++() { return *this = *this + basic_@family@(@limb@(1), @limb@(0)); }
    VERNIER_HD basic_@family@ &operator--() { return *this = *this - basic_@family@(@limb@(1), @limb@(0)); }
    VERNIER_HD basic_@family@ operator++(int) { const basic_@family@ x = *this; ++*this; return x; }
    VERNIER_HD basic_@family@ operator--(int) { const basic_@family@ x = *this; --*this; return x; }

#define VERNIER_COMPARE(op, name)                                                                                      \
    VERNIER_HD friend bool operator op(basic_@family@ x, basic_@family@ y)                                             \
    {                                                                                                                  \
        return detail::@family@_##name(x.limbs(), y.limbs());                                                          \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend if_scalar<S, bool> operator op(basic_@family@ x, S y)                         \
    {                                                                                                                  \
        return x op basic_@family@(y);                                                                                 \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend if_scalar<S, bool> operator op(S x, basic_@family@ y)                         \
    {                                                                                                                  \
        return basic_@family@(x) op y;                                                                                 \
    }
    VERNIER_COMPARE(==, eq)
    VERNIER_COMPARE(!=, ne)
    VERNIER_COMPARE(<, lt)
    VERNIER_COMPARE(<=, le)
    VERNIER_COMPARE(>, gt)
    VERNIER_COMPARE(>=, ge)
#undef VERNIER_COMPARE

    VERNIER_HD friend basic_@family@ fma(basic_@family@ x, basic_@family@ y, basic_@family@ z)
    {
        return basic_@family@(detail::arithmetic<@limb@, A>::fma(x.limbs(), y.limbs(), z.limbs()));
    }
    VERNIER_HD friend basic_@family@ mad(basic_@family@ x, basic_@family@ y, basic_@family@ z)
    {
        return basic_@family@(detail::arithmetic<@limb@, A>::mad(x.limbs(), y.limbs(), z.limbs()));
    }
    VERNIER_HD friend basic_@family@ sqrt(basic_@family@ x) { return basic_@family@(detail::@family@_sqrt(x.limbs())); }
    VERNIER_HD friend basic_@family@ rsqrt(basic_@family@ x) { return basic_@family@(detail::@family@_rsqrt(x.limbs())); }
    VERNIER_HD friend basic_@family@ renormalize(basic_@family@ x)
    {
        return basic_@family@(detail::arithmetic<@limb@, A>::renormalize(x.limbs()));
    }
    VERNIER_HD friend basic_@family@ canonical(basic_@family@ x)
    {
        return basic_@family@(detail::@family@_canonical(x.limbs()));
    }

@functions@
private:
    template <class S> VERNIER_HD basic_@family@ &accumulate(S c, bool negate)
    {
        static_assert(!VERNIER_EXPLICIT_CASTS || !detail::is_same<@limb@, float>::value || !detail::is_same<S, double>::value,
                      "fp32mp2 += double: convert the double to fp32mp2 or float first");
        if constexpr (detail::scalar<S>::limb@bits@) {
            const @limb@ limb = @limb@(c);
            return *this = basic_@family@(detail::arithmetic<@limb@, A>::acc(limbs(), negate ? -limb : limb));
        } else {
            const basic_@family@ y(c);
            return *this = negate ? *this - y : *this + y;
        }
    }
};

using @family@_low = basic_@family@<accuracy::low>;
using @family@_mid = basic_@family@<accuracy::mid>;
using @family@_high = basic_@family@<accuracy::high>;
using @family@ = @family@_mid;

// Operations by the sequence of a level, whatever the level of the operands.
#define VERNIER_EXPLICIT_LEVEL(name)                                                                                   \
    template <accuracy L, accuracy A> VERNIER_HD basic_@family@<A> name(basic_@family@<A> x, basic_@family@<A> y)      \
    {                                                                                                                  \
        return basic_@family@<A>(detail::arithmetic<@limb@, L>::name(x.limbs(), y.limbs()));                           \
    }
VERNIER_EXPLICIT_LEVEL(add)
VERNIER_EXPLICIT_LEVEL(sub)
VERNIER_EXPLICIT_LEVEL(mul)
VERNIER_EXPLICIT_LEVEL(div)
#undef VERNIER_EXPLICIT_LEVEL
#define VERNIER_EXPLICIT_LEVEL(name)                                                                                   \
    template <accuracy L, accuracy A>                                                                                  \
    VERNIER_HD basic_@family@<A> name(basic_@family@<A> x, basic_@family@<A> y, basic_@family@<A> z)                   \
    {                                                                                                                  \
        return basic_@family@<A>(detail::arithmetic<@limb@, L>::name(x.limbs(), y.limbs(), z.limbs()));                \
    }
VERNIER_EXPLICIT_LEVEL(fma)
VERNIER_EXPLICIT_LEVEL(mad)
#undef VERNIER_EXPLICIT_LEVEL

template <accuracy A> struct numeric_limits<basic_@family@<A>> {
    using type = basic_@family@<A>;
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
    static constexpr bool is_iec559 = false, is_bounded = true, is_modulo = false, traps = false;
    static constexpr bool tinyness_before = false, has_denorm_loss = false;
    static constexpr int radix = 2, digits = @digits@, digits10 = @digits10@, max_digits10 = @max_digits10@;
    static constexpr int min_exponent = @min_exponent@, min_exponent10 = @min_exponent10@;
    static constexpr int max_exponent = @max_exponent@, max_exponent10 = @max_exponent10@;
    VERNIER_HD static constexpr type min() noexcept { return {@min@, 0}; }
    VERNIER_HD static constexpr type max() noexcept { return {@max_hi@, @max_lo@}; }
    VERNIER_HD static constexpr type lowest() noexcept { return {-@max_hi@, -@max_lo@}; }
    VERNIER_HD static constexpr type epsilon() noexcept { return {@epsilon@, 0}; }
    VERNIER_HD static constexpr type round_error() noexcept { return {@limb@(0.5), 0}; }
    VERNIER_HD static constexpr type infinity() noexcept { return {detail::constant_infinity<@limb@>(), 0}; }
    VERNIER_HD static constexpr type quiet_NaN() noexcept { return {detail::constant_nan<@limb@>(), 0}; }
    VERNIER_HD static constexpr type signaling_NaN() noexcept { return {__builtin_bit_cast(@limb@, @snan@), 0}; }
    VERNIER_HD static constexpr type denorm_min() noexcept { return {@denorm_min@, 0}; }
};

#if defined(__CUDACC__)
#define VERNIER_SHUFFLE(name, T)                                                                                       \
    template <accuracy A>                                                                                              \
    __device__ basic_@family@<A> name(unsigned mask, basic_@family@<A> x, T lane, int width = 32)                      \
    {                                                                                                                  \
        return {::name(mask, x.hi(), lane, width), ::name(mask, x.lo(), lane, width)};                                 \
    }
VERNIER_SHUFFLE(__shfl_sync, int)
VERNIER_SHUFFLE(__shfl_up_sync, unsigned)
VERNIER_SHUFFLE(__shfl_down_sync, unsigned)
VERNIER_SHUFFLE(__shfl_xor_sync, int)
#undef VERNIER_SHUFFLE

@atomics@
/// Subtracts from a pair in memory; see atomicAdd.
template <accuracy A> __device__ basic_@family@<A> atomicSub(basic_@family@<A> *address, basic_@family@<A> value)
{
    return atomicAdd(address, -value);
}
#endif

} // namespace vernier

#if !defined(__CUDACC_RTC__)
namespace std {
template <vernier::accuracy A>
struct numeric_limits<vernier::basic_@family@<A>> : vernier::numeric_limits<vernier::basic_@family@<A>> {
    static constexpr float_denorm_style has_denorm = denorm_present;
    static constexpr float_round_style round_style = round_to_nearest;
};
} // namespace std
#endif

