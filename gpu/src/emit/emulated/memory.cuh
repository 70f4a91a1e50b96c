
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
