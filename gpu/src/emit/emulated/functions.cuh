
#define VERNIER_OPERATOR(op, name)                                                                                     \
    template <class X, class Y, class R = detail::emulated_of<2, X, Y>> VERNIER_HD R operator op(X x, Y y)             \
    {                                                                                                                  \
        return R::from_words(R::operations::name(R(x).words(), R(y).words()));                                         \
    }
VERNIER_OPERATOR(+, add)
VERNIER_OPERATOR(-, sub)
VERNIER_OPERATOR(*, mul)
VERNIER_OPERATOR(/, div)
#undef VERNIER_OPERATOR

#define VERNIER_COMPARE(op, name)                                                                                      \
    template <class X, class Y, class R = detail::emulated_of<2, X, Y>> VERNIER_HD bool operator op(X x, Y y)          \
    {                                                                                                                  \
        return R::operations::name(R(x).words(), R(y).words());                                                        \
    }
VERNIER_COMPARE(==, eq)
VERNIER_COMPARE(!=, ne)
VERNIER_COMPARE(<, lt)
VERNIER_COMPARE(<=, le)
VERNIER_COMPARE(>, gt)
VERNIER_COMPARE(>=, ge)
#undef VERNIER_COMPARE

// Functions of n operands: of the operands' level, of the level L, and by the name of the intrinsic function of doubles.
#define VERNIER_NAMED(name, n, operation)                                                                              \
    template <class... S, class R = detail::emulated_of<n, S...>> VERNIER_HD R name(S... x)                            \
    {                                                                                                                  \
        return R::from_words(R::operations::operation(R(x).words()...));                                               \
    }
#define VERNIER_AT_LEVEL(name, n)                                                                                      \
    template <accuracy L, class... S, class R = detail::emulated_of<n, S...>> VERNIER_HD R name(S... x)                \
    {                                                                                                                  \
        return R::from_words(detail::emulated<typename R::words_type, L>::name(R(x).words()...));                      \
    }
VERNIER_NAMED(fma, 3, fma) VERNIER_NAMED(mad, 3, mad) VERNIER_NAMED(dot, 4, dot) VERNIER_NAMED(sqrt, 1, sqrt)
VERNIER_NAMED(__dadd_rn, 2, add) VERNIER_NAMED(__dsub_rn, 2, sub) VERNIER_NAMED(__dmul_rn, 2, mul)
VERNIER_NAMED(__ddiv_rn, 2, div) VERNIER_NAMED(__dsqrt_rn, 1, sqrt)
VERNIER_NAMED(__fma_rn, 3, fma) VERNIER_NAMED(__mad_rn, 3, mad)
VERNIER_AT_LEVEL(add, 2) VERNIER_AT_LEVEL(sub, 2) VERNIER_AT_LEVEL(mul, 2) VERNIER_AT_LEVEL(div, 2)
VERNIER_AT_LEVEL(fma, 3) VERNIER_AT_LEVEL(mad, 3) VERNIER_AT_LEVEL(dot, 4) VERNIER_AT_LEVEL(sqrt, 1)
#undef VERNIER_NAMED
#undef VERNIER_AT_LEVEL

/// (re + i im) = (xr + i xi)(yr + i yi), as four products and two sums.
template <accuracy L, class W, accuracy A>
VERNIER_HD void cmul(emulated_double<W, A> xr, emulated_double<W, A> xi, emulated_double<W, A> yr, emulated_double<W, A> yi,
                     emulated_double<W, A> &re, emulated_double<W, A> &im)
{
    W a, b;
    detail::complex_parts(detail::emulated<W, L>::cmul(xr.words(), xi.words(), yr.words(), yi.words()), a, b);
    re = emulated_double<W, A>::from_words(a);
    im = emulated_double<W, A>::from_words(b);
}
template <class W, accuracy A>
VERNIER_HD void cmul(emulated_double<W, A> xr, emulated_double<W, A> xi, emulated_double<W, A> yr, emulated_double<W, A> yi,
                     emulated_double<W, A> &re, emulated_double<W, A> &im)
{
    cmul<A>(xr, xi, yr, yi, re, im);
}

// Exact.
template <class W, accuracy A> VERNIER_HD constexpr emulated_double<W, A> fabs(emulated_double<W, A> x)
{
    return emulated_double<W, A>::from_words(detail::without_sign(x.words()));
}
template <class W, accuracy A> VERNIER_HD constexpr bool signbit(emulated_double<W, A> x)
{
    return detail::has_sign(x.words());
}
template <class W, accuracy A>
VERNIER_HD constexpr emulated_double<W, A> copysign(emulated_double<W, A> x, emulated_double<W, A> sign)
{
    return signbit(sign) ? -fabs(x) : fabs(x);
}
template <class W, accuracy A> VERNIER_HD bool isnan(emulated_double<W, A> x) { return x != x; }
template <class W, accuracy A> VERNIER_HD bool isinf(emulated_double<W, A> x)
{
    return fabs(x) == numeric_limits<emulated_double<W, A>>::infinity();
}
template <class W, accuracy A> VERNIER_HD bool isfinite(emulated_double<W, A> x)
{
    return fabs(x) < numeric_limits<emulated_double<W, A>>::infinity();
}
// The other operand where one is NaN.
#define VERNIER_EXTREME(name, op)                                                                                      \
    template <class X, class Y, class R = detail::emulated_of<2, X, Y>> VERNIER_HD R name(X x, Y y)                    \
    {                                                                                                                  \
        const R a(x), b(y);                                                                                            \
        return a op b || isnan(b) ? a : b;                                                                             \
    }
VERNIER_EXTREME(fmin, <)
VERNIER_EXTREME(fmax, >)
#undef VERNIER_EXTREME

#if !defined(__CUDACC_RTC__)
/// As the nearest double.
template <class Stream, class W, accuracy A>
auto operator<<(Stream &stream, emulated_double<W, A> x) -> decltype(stream << double())
{
    return stream << double(x);
}
#endif

// In the directions rz, ru and rd, packed: those of level high, right to the bit, at every level.
#define VERNIER_NAMED(name, n, function)                                                                               \
    template <class... S, class R = detail::emulated_of<n, S...>>                                                      \
    VERNIER_HD typename detail::enable_if<detail::is_same<typename R::words_type, vernier_u64>::value, R>::type        \
    name(S... x)                                                                                                       \
    {                                                                                                                  \
        return R::from_bits(detail::function(R(x).bits()...));                                                         \
    }
#define VERNIER_DIRECTED(mode)                                                                                         \
    VERNIER_NAMED(__dadd_##mode, 2, fp64emu_add_##mode)                                                                \
    VERNIER_NAMED(__dsub_##mode, 2, fp64emu_sub_##mode)                                                                \
    VERNIER_NAMED(__dmul_##mode, 2, fp64emu_mul_##mode)                                                                \
    VERNIER_NAMED(__ddiv_##mode, 2, fp64emu_div_##mode)                                                                \
    VERNIER_NAMED(__dsqrt_##mode, 1, fp64emu_sqrt_##mode)                                                              \
    VERNIER_NAMED(__fma_##mode, 3, fp64emu_fma_##mode)
VERNIER_DIRECTED(rz)
VERNIER_DIRECTED(ru)
VERNIER_DIRECTED(rd)
#undef VERNIER_DIRECTED
#undef VERNIER_NAMED

// Conversions in a direction. Those from an integer name their result: ll2double_ru<fp64emu>(x).
#define VERNIER_CONVERSIONS(mode, from, to_float, to)                                                                  \
    template <accuracy A> VERNIER_HD float __double2float_##mode(basic_fp64emu<A> x)                                   \
    {                                                                                                                  \
        return detail::fp64emu_to_f32##to_float(x.bits());                                                             \
    }                                                                                                                  \
    template <accuracy A> VERNIER_HD int __double2int_##mode(basic_fp64emu<A> x)                                       \
    {                                                                                                                  \
        return (int)detail::fp64emu_to_i32##to(x.bits());                                                              \
    }                                                                                                                  \
    template <accuracy A> VERNIER_HD unsigned __double2uint_##mode(basic_fp64emu<A> x)                                 \
    {                                                                                                                  \
        return detail::fp64emu_to_u32##to(x.bits());                                                                   \
    }                                                                                                                  \
    template <accuracy A> VERNIER_HD long long __double2ll_##mode(basic_fp64emu<A> x)                                  \
    {                                                                                                                  \
        return (long long)detail::fp64emu_to_i64##to(x.bits());                                                        \
    }                                                                                                                  \
    template <accuracy A> VERNIER_HD unsigned long long __double2ull_##mode(basic_fp64emu<A> x)                        \
    {                                                                                                                  \
        return detail::fp64emu_to_u64##to(x.bits());                                                                   \
    }                                                                                                                  \
    template <class R = fp64emu> VERNIER_HD R ll2double_##mode(long long x)                                            \
    {                                                                                                                  \
        return R::from_bits(detail::fp64emu_from_i64##from((vernier_u64)x));                                           \
    }                                                                                                                  \
    template <class R = fp64emu> VERNIER_HD R ull2double_##mode(unsigned long long x)                                  \
    {                                                                                                                  \
        return R::from_bits(detail::fp64emu_from_u64##from(x));                                                        \
    }                                                                                                                  \
    template <accuracy A> VERNIER_HD basic_fp64emu<A> pack_##mode(basic_fp64emu_unpacked<A> x)                         \
    {                                                                                                                  \
        return basic_fp64emu<A>::from_bits(detail::fp64emu_unpacked_to_fp64emu##from(x.words()));                      \
    }
VERNIER_CONVERSIONS(rn, , , _rn)
VERNIER_CONVERSIONS(rz, _rz, _rz, )
VERNIER_CONVERSIONS(ru, _ru, _ru, _ru)
VERNIER_CONVERSIONS(rd, _rd, _rd, _rd)
#undef VERNIER_CONVERSIONS

/// Rounded to nearest.
template <accuracy A> VERNIER_HD basic_fp64emu<A> pack(basic_fp64emu_unpacked<A> x) { return pack_rn(x); }
/// Exact.
template <accuracy A> VERNIER_HD basic_fp64emu_unpacked<A> unpack(basic_fp64emu<A> x)
{
    return basic_fp64emu_unpacked<A>(x);
}
