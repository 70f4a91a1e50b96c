
template <accuracy A> struct numeric_limits<basic_fp64emu<A>> {
    using type = basic_fp64emu<A>;
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true;
    static constexpr bool is_iec559 = A == accuracy::high, is_bounded = true, is_modulo = false, traps = false;
    static constexpr bool tinyness_before = false, has_denorm_loss = false, has_subnormals = true;
    static constexpr bool nearest = A == accuracy::high;
    static constexpr int radix = 2, digits = 53, digits10 = 15, max_digits10 = 17;
    static constexpr int min_exponent = -1021, min_exponent10 = -307, max_exponent = 1024, max_exponent10 = 308;
    VERNIER_HD static constexpr type min() noexcept { return type(0x1p-1022); }
    VERNIER_HD static constexpr type max() noexcept { return type(0x1.fffffffffffffp1023); }
    VERNIER_HD static constexpr type lowest() noexcept { return type(-0x1.fffffffffffffp1023); }
    VERNIER_HD static constexpr type epsilon() noexcept { return type(0x1p-52); }
    VERNIER_HD static constexpr type round_error() noexcept { return type(nearest ? 0.5 : 1.0); }
    VERNIER_HD static constexpr type infinity() noexcept { return type::from_bits(0x7ff0000000000000ull); }
    VERNIER_HD static constexpr type quiet_NaN() noexcept { return type::from_bits(0x7ff8000000000000ull); }
    VERNIER_HD static constexpr type signaling_NaN() noexcept { return type::from_bits(0x7ff4000000000000ull); }
    VERNIER_HD static constexpr type denorm_min() noexcept { return type::from_bits(1); }
};

/// Exponents are those of a double, although operations go far beyond: to 2^26 each way, without subnormal numbers.
template <accuracy A> struct numeric_limits<basic_fp64emu_unpacked<A>> {
    using type = basic_fp64emu_unpacked<A>;
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = false;
    static constexpr bool is_iec559 = false, is_bounded = true, is_modulo = false, traps = false;
    static constexpr bool tinyness_before = false, has_denorm_loss = false, has_subnormals = false;
    static constexpr bool nearest = false;
    static constexpr int radix = 2, digits = 62, digits10 = 18, max_digits10 = 20;
    static constexpr int min_exponent = -1021, min_exponent10 = -307, max_exponent = 1024, max_exponent10 = 308;
    VERNIER_HD static constexpr type min() noexcept { return type(0x1p-1022); }
    /// Rounds to infinity.
    VERNIER_HD static constexpr type max() noexcept { return type::from_words({0, 2046, (1ull << 62) - 1}); }
    VERNIER_HD static constexpr type lowest() noexcept { return -max(); }
    VERNIER_HD static constexpr type epsilon() noexcept { return type(0x1p-61); }
    VERNIER_HD static constexpr type round_error() noexcept { return type(1.0); }
    VERNIER_HD static constexpr type infinity() noexcept { return type::from_words({0, 1u << 28, 1ull << 61}); }
    VERNIER_HD static constexpr type quiet_NaN() noexcept { return type::from_words({0, 3u << 28, 3ull << 60}); }
    VERNIER_HD static constexpr type signaling_NaN() noexcept { return quiet_NaN(); }
    VERNIER_HD static constexpr type denorm_min() noexcept { return min(); }
};
