
/// A double computed with integers and binary32, without the FP64 pipe. Scalars become numbers of the class before an
/// operation. Conversions to integers truncate and saturate; NaN gives 0.
template <class W, accuracy A> class emulated_double {
    static constexpr bool packed = detail::is_same<W, vernier_u64>::value;
    W words_;

    struct of_words {};
    VERNIER_HD constexpr emulated_double(of_words, W words) : words_(words) {}
    template <class S, bool also> using if_scalar = typename detail::enable_if<detail::scalar<S>::value && also, int>::type;
    template <class S>
    using if_operand =
        typename detail::enable_if<detail::emulated_operands<emulated_double, S>::value, emulated_double &>::type;
    template <class V, bool is>
    using if_packed = typename detail::enable_if<detail::is_same<V, vernier_u64>::value == is, V>::type;

public:
    using words_type = W;
    using operations = detail::emulated<W, A>;
    static constexpr accuracy level = A;

    emulated_double() = default;
    template <class S, if_scalar<S, packed> = 0>
    VERNIER_HD constexpr emulated_double(S x) : words_(detail::emulated_from<W>(x)) {}
    template <class S, if_scalar<S, !packed> = 0>
    VERNIER_HD constexpr VERNIER_CAST emulated_double(S x) : words_(detail::emulated_from<W>(x)) {}
    template <class S, if_scalar<S, true> = 0>
    VERNIER_HD constexpr operator S() const { return detail::emulated_to<S>(words_); }

    /// The same number at another level.
    template <accuracy B, class = typename detail::enable_if<A != B>::type>
    VERNIER_HD constexpr VERNIER_CAST emulated_double(emulated_double<W, B> x) : words_(x.words()) {}
    /// Unpacked exactly, or rounded to nearest to be packed.
    template <class V, accuracy B, class = typename detail::enable_if<!detail::is_same<V, W>::value>::type>
    VERNIER_HD VERNIER_CAST emulated_double(emulated_double<V, B> x)
        : words_(operations::of_image(detail::emulated<V, B>::to_image(x.words()))) {}

    VERNIER_HD constexpr W words() const { return words_; }
    /// The number of words that are such a number.
    VERNIER_HD static constexpr emulated_double from_words(W words) { return {of_words(), words}; }

    /// The bits of a double; packed only.
    template <class V = W> VERNIER_HD constexpr if_packed<V, true> bits() const { return words_; }
    template <class V = W> VERNIER_HD static constexpr emulated_double from_bits(if_packed<V, true> bits)
    {
        return {of_words(), bits};
    }

    /// (-1)^sign significand 2^(exponent - 1023 - 61), the leading one at bit 61; unpacked only. Zero, infinity and NaN
    /// have the exponents -2^29, 2^28 and 3 2^28.
    template <class V = W> VERNIER_HD constexpr decltype(V::sign) sign() const { return words_.sign; }
    template <class V = W> VERNIER_HD constexpr decltype((int)V::exponent) exponent() const { return (int)words_.exponent; }
    template <class V = W> VERNIER_HD constexpr decltype(V::significand) significand() const { return words_.significand; }
    /// The number of any three words: made canonical.
    template <class V = W, class = if_packed<V, false>>
    VERNIER_HD static emulated_double from_parts(vernier_u32 sign, int exponent, vernier_u64 significand)
    {
        return from_words(detail::fp64emu_unpacked_canonical(V{sign, (vernier_u32)exponent, significand}));
    }

    VERNIER_HD constexpr emulated_double operator+() const { return *this; }
    VERNIER_HD constexpr emulated_double operator-() const { return from_words(detail::negated(words_)); }

    template <class S> VERNIER_HD if_operand<S> operator+=(S y) { return *this = *this + y; }
    template <class S> VERNIER_HD if_operand<S> operator-=(S y) { return *this = *this - y; }
    template <class S> VERNIER_HD if_operand<S> operator*=(S y) { return *this = *this * y; }
    template <class S> VERNIER_HD if_operand<S> operator/=(S y) { return *this = *this / y; }
    VERNIER_HD emulated_double &operator++() { return *this = *this + one(); }
    VERNIER_HD emulated_double &operator--() { return *this = *this - one(); }
    VERNIER_HD emulated_double operator++(int) { const emulated_double x = *this; ++*this; return x; }
    VERNIER_HD emulated_double operator--(int) { const emulated_double x = *this; --*this; return x; }

private:
    VERNIER_HD static constexpr emulated_double one()
    {
        constexpr emulated_double x(1.0);
        return x;
    }
};

using fp64emu_low = basic_fp64emu<accuracy::low>;
using fp64emu_mid = basic_fp64emu<accuracy::mid>;
using fp64emu_high = basic_fp64emu<accuracy::high>;
using fp64emu = fp64emu_high;
using fp64emu_unpacked_low = basic_fp64emu_unpacked<accuracy::low>;
using fp64emu_unpacked_mid = basic_fp64emu_unpacked<accuracy::mid>;
using fp64emu_unpacked_high = basic_fp64emu_unpacked<accuracy::high>;
using fp64emu_unpacked = fp64emu_unpacked_high;
