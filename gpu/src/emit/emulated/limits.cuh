
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

#if defined(__CUDACC__)
#define VERNIER_SHUFFLE(name, T)                                                                                       \
    template <accuracy A>                                                                                              \
    __device__ basic_fp64emu<A> name(unsigned mask, basic_fp64emu<A> x, T lane, int width = 32)                        \
    {                                                                                                                  \
        return basic_fp64emu<A>::from_bits(::name(mask, x.bits(), lane, width));                                       \
    }                                                                                                                  \
    template <accuracy A>                                                                                              \
    __device__ basic_fp64emu_unpacked<A> name(unsigned mask, basic_fp64emu_unpacked<A> x, T lane, int width = 32)      \
    {                                                                                                                  \
        const vernier_unpacked words = x.words();                                                                      \
        return basic_fp64emu_unpacked<A>::from_words({::name(mask, words.sign, lane, width),                           \
                                                      ::name(mask, words.exponent, lane, width),                       \
                                                      ::name(mask, words.significand, lane, width)});                  \
    }
VERNIER_SHUFFLE(__shfl_sync, int)
VERNIER_SHUFFLE(__shfl_up_sync, unsigned)
VERNIER_SHUFFLE(__shfl_down_sync, unsigned)
VERNIER_SHUFFLE(__shfl_xor_sync, int)
#undef VERNIER_SHUFFLE

/// Adds to a packed number in memory, by the high sequence whatever the level, with one 64-bit compare-and-swap that
/// succeeds. Returns the old number.
template <accuracy A> __device__ basic_fp64emu<A> atomicAdd(basic_fp64emu<A> *address, basic_fp64emu<A> value)
{
    unsigned long long *const p = reinterpret_cast<unsigned long long *>(address);
    unsigned long long old = *reinterpret_cast<volatile unsigned long long *>(p), seen;
    do {
        seen = old;
        old = ::atomicCAS(p, seen, (unsigned long long)detail::fp64emu_high_add(seen, value.bits()));
    } while (old != seen);
    return basic_fp64emu<A>::from_bits(old);
}

/// Subtracts from a packed number in memory; see atomicAdd.
template <accuracy A> __device__ basic_fp64emu<A> atomicSub(basic_fp64emu<A> *address, basic_fp64emu<A> value)
{
    return atomicAdd(address, -value);
}
#endif

} // namespace vernier

#if !defined(__CUDACC_RTC__)
namespace std {
template <class W, vernier::accuracy A>
struct numeric_limits<vernier::emulated_double<W, A>> : vernier::numeric_limits<vernier::emulated_double<W, A>> {
    static constexpr float_denorm_style has_denorm =
        vernier::numeric_limits<vernier::emulated_double<W, A>>::has_subnormals ? denorm_present : denorm_absent;
    static constexpr float_round_style round_style =
        vernier::numeric_limits<vernier::emulated_double<W, A>>::nearest ? round_to_nearest : round_indeterminate;
};
} // namespace std
#endif
