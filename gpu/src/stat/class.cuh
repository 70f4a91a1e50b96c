/// A basic_@family@ that counts its operations on a device, as arguments and results, in the record of the block's
/// stat_scope. The same bits, size and alignment; on the host it only computes.
template <accuracy A> class basic_@family@_stat {
    basic_@family@<A> x_;
    template <class S, class R = void> using if_scalar = typename detail::enable_if<detail::scalar<S>::value, R>::type;
    template <class S, bool implicitly>
    using if_converts = typename detail::if_converts<S, basic_@family@<A>, S, implicitly>::type;
    template <class S, bool implicitly>
    using if_converts_to = typename detail::if_converts<basic_@family@<A>, S, S, implicitly>::type;

    VERNIER_HD static basic_@family@_stat note(int kind, basic_@family@<A> x, basic_@family@<A> y, basic_@family@<A> r)
    {
#if defined(__CUDA_ARCH__)
        detail::@family@_stat_note(A == accuracy::low, kind, x.limbs(), y.limbs(), r.limbs());
#else
        (void)kind, (void)x, (void)y;
#endif
        return r;
    }
    VERNIER_HD static constexpr basic_@family@_stat note_other(int other, basic_@family@<A> r)
    {
#if defined(__CUDA_ARCH__) && VERNIER_STAT_EXTRA
        if (!__builtin_is_constant_evaluated()) detail::stat_note_other(other);
#else
        (void)other;
#endif
        return r;
    }

public:
    using base_type = basic_@family@<A>;
    using limb_type = @limb@;
    static constexpr accuracy level = A;

    basic_@family@_stat() = default;
    VERNIER_HD constexpr basic_@family@_stat(@limb@ hi, @limb@ lo) : x_(hi, lo) {}
    VERNIER_HD constexpr basic_@family@_stat(base_type x) : x_(x) {}
    template <class S, if_converts<S, true> = 0> VERNIER_HD constexpr basic_@family@_stat(S x) : x_(note_other(4, base_type(x))) {}
    template <class S, if_converts<S, false> = 0>
    VERNIER_HD constexpr VERNIER_CAST basic_@family@_stat(S x) : x_(note_other(4, base_type(x))) {}
    template <accuracy B, class = typename detail::enable_if<A != B>::type>
    VERNIER_HD VERNIER_CAST basic_@family@_stat(basic_@family@_stat<B> x) : x_(note_other(4, base_type(x.as_fpmp2()))) {}
@widths@
    VERNIER_HD constexpr operator base_type() const { return x_; }
    template <class S, if_converts_to<S, true> = 0> VERNIER_HD operator S() const { return S(note_other(4, x_).x_); }
    template <class S, if_converts_to<S, false> = 0> VERNIER_HD VERNIER_CAST operator S() const { return S(note_other(4, x_).x_); }

    VERNIER_HD constexpr const base_type &as_fpmp2() const { return x_; }
    /// For changes that are not counted.
    VERNIER_HD constexpr base_type &as_fpmp2() { return x_; }
    VERNIER_HD constexpr @limb@ hi() const { return x_.hi(); }
    VERNIER_HD constexpr @limb@ lo() const { return x_.lo(); }

    VERNIER_HD constexpr basic_@family@_stat operator+() const { return *this; }
    VERNIER_HD constexpr basic_@family@_stat operator-() const { return -x_; }

#define VERNIER_STAT_OPERATOR(op, kind)                                                                                \
    VERNIER_HD friend basic_@family@_stat operator op(basic_@family@_stat x, basic_@family@_stat y)                    \
    {                                                                                                                  \
        return note(kind, x.x_, y.x_, x.x_ op y.x_);                                                                   \
    }                                                                                                                  \
    VERNIER_HD friend basic_@family@_stat operator op(basic_@family@_stat x, base_type y)                              \
    {                                                                                                                  \
        return note(kind, x.x_, y, x.x_ op y);                                                                         \
    }                                                                                                                  \
    VERNIER_HD friend basic_@family@_stat operator op(base_type x, basic_@family@_stat y)                              \
    {                                                                                                                  \
        return note(kind, x, y.x_, x op y.x_);                                                                         \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend if_scalar<S, basic_@family@_stat> operator op(basic_@family@_stat x, S y)     \
    {                                                                                                                  \
        return x op base_type(y);                                                                                      \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend if_scalar<S, basic_@family@_stat> operator op(S x, basic_@family@_stat y)     \
    {                                                                                                                  \
        return base_type(x) op y;                                                                                      \
    }                                                                                                                  \
    VERNIER_HD basic_@family@_stat &operator op##=(basic_@family@_stat y) { return *this = *this op y; }               \
    VERNIER_HD basic_@family@_stat &operator op##=(base_type y) { return *this = *this op y; }                         \
    template <class S> VERNIER_HD if_scalar<S, basic_@family@_stat &> operator op##=(S y)                              \
    {                                                                                                                  \
        const base_type x = x_;                                                                                        \
        x_ op##= y;                                                                                                    \
        return *this = note(kind, x, base_type(y), x_);                                                                \
    }
    VERNIER_STAT_OPERATOR(+, 0)
    VERNIER_STAT_OPERATOR(-, 1)
    VERNIER_STAT_OPERATOR(*, 2)
    VERNIER_STAT_OPERATOR(/, 3)
#undef VERNIER_STAT_OPERATOR

    VERNIER_HD basic_@family@_stat &operator++() { return *this += @limb@(1); }
    VERNIER_HD basic_@family@_stat &operator--() { return *this -= @limb@(1); }
    VERNIER_HD basic_@family@_stat operator++(int) { const basic_@family@_stat x = *this; ++*this; return x; }
    VERNIER_HD basic_@family@_stat operator--(int) { const basic_@family@_stat x = *this; --*this; return x; }

#define VERNIER_STAT_COMPARE(op)                                                                                       \
    VERNIER_HD friend bool operator op(basic_@family@_stat x, basic_@family@_stat y) { return x.x_ op y.x_; }          \
    VERNIER_HD friend bool operator op(basic_@family@_stat x, base_type y) { return x.x_ op y; }                       \
    VERNIER_HD friend bool operator op(base_type x, basic_@family@_stat y) { return x op y.x_; }                       \
    template <class S> VERNIER_HD friend if_scalar<S, bool> operator op(basic_@family@_stat x, S y)                    \
    {                                                                                                                  \
        return x.x_ op base_type(y);                                                                                   \
    }                                                                                                                  \
    template <class S> VERNIER_HD friend if_scalar<S, bool> operator op(S x, basic_@family@_stat y)                    \
    {                                                                                                                  \
        return base_type(x) op y.x_;                                                                                   \
    }
    VERNIER_STAT_COMPARE(==)
    VERNIER_STAT_COMPARE(!=)
    VERNIER_STAT_COMPARE(<)
    VERNIER_STAT_COMPARE(<=)
    VERNIER_STAT_COMPARE(>)
    VERNIER_STAT_COMPARE(>=)
#undef VERNIER_STAT_COMPARE

    VERNIER_HD friend basic_@family@_stat sqrt(basic_@family@_stat x) { return note_other(0, sqrt(x.x_)); }
    VERNIER_HD friend basic_@family@_stat rsqrt(basic_@family@_stat x) { return note_other(1, rsqrt(x.x_)); }
    VERNIER_HD friend basic_@family@_stat fma(basic_@family@_stat x, basic_@family@_stat y, basic_@family@_stat z)
    {
        return note_other(2, fma(x.x_, y.x_, z.x_));
    }
    VERNIER_HD friend basic_@family@_stat mad(basic_@family@_stat x, basic_@family@_stat y, basic_@family@_stat z)
    {
        return note_other(3, mad(x.x_, y.x_, z.x_));
    }
    VERNIER_HD friend basic_@family@_stat renormalize(basic_@family@_stat x) { return renormalize(x.x_); }
    VERNIER_HD friend basic_@family@_stat canonical(basic_@family@_stat x) { return canonical(x.x_); }
@functions@#if defined(__CUDACC__)
    /// Counted as old + value at the type's level, whatever high addition stored.
    __device__ friend basic_@family@_stat atomicAdd(basic_@family@_stat *address, basic_@family@_stat value)
    {
        const base_type old = atomicAdd(&address->x_, value.x_);
        note(0, old, value.x_, old + value.x_);
        return old;
    }
    __device__ friend basic_@family@_stat atomicSub(basic_@family@_stat *address, basic_@family@_stat value)
    {
        const base_type old = atomicSub(&address->x_, value.x_);
        note(1, old, value.x_, old - value.x_);
        return old;
    }
    template <class T> __device__ friend basic_@family@_stat __shfl_sync(unsigned mask, basic_@family@_stat x, T lane, int width = 32)
    {
        return __shfl_sync(mask, x.x_, lane, width);
    }
    template <class T> __device__ friend basic_@family@_stat __shfl_up_sync(unsigned mask, basic_@family@_stat x, T lane, int width = 32)
    {
        return __shfl_up_sync(mask, x.x_, lane, width);
    }
    template <class T> __device__ friend basic_@family@_stat __shfl_down_sync(unsigned mask, basic_@family@_stat x, T lane, int width = 32)
    {
        return __shfl_down_sync(mask, x.x_, lane, width);
    }
    template <class T> __device__ friend basic_@family@_stat __shfl_xor_sync(unsigned mask, basic_@family@_stat x, T lane, int width = 32)
    {
        return __shfl_xor_sync(mask, x.x_, lane, width);
    }
#endif
};

using @family@_stat_low = basic_@family@_stat<accuracy::low>;
using @family@_stat_mid = basic_@family@_stat<accuracy::mid>;
using @family@_stat_high = basic_@family@_stat<accuracy::high>;
using @family@_stat = @family@_stat_mid;

template <accuracy A> struct numeric_limits<basic_@family@_stat<A>> : numeric_limits<basic_@family@<A>> {
    using base = numeric_limits<basic_@family@<A>>;
    using type = basic_@family@_stat<A>;
    VERNIER_HD static constexpr type min() noexcept { return base::min(); }
    VERNIER_HD static constexpr type max() noexcept { return base::max(); }
    VERNIER_HD static constexpr type lowest() noexcept { return base::lowest(); }
    VERNIER_HD static constexpr type epsilon() noexcept { return base::epsilon(); }
    VERNIER_HD static constexpr type round_error() noexcept { return base::round_error(); }
    VERNIER_HD static constexpr type infinity() noexcept { return base::infinity(); }
    VERNIER_HD static constexpr type quiet_NaN() noexcept { return base::quiet_NaN(); }
    VERNIER_HD static constexpr type signaling_NaN() noexcept { return base::signaling_NaN(); }
    VERNIER_HD static constexpr type denorm_min() noexcept { return base::denorm_min(); }
};
