/// Adds to a pair in memory, by the high sequence whatever the level, with one 128-bit compare-and-swap that succeeds
/// (sm_90 and later). Returns the old pair.
template <accuracy A> __device__ basic_fp64mp2<A> atomicAdd(basic_fp64mp2<A> *address, basic_fp64mp2<A> value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    static_assert((int)A < 0, "vernier: atomicAdd on fp64mp2 needs a 128-bit compare-and-swap: sm_90 or later");
    return value;
#elif defined(__CUDA_ARCH__)
    const volatile double *const p = reinterpret_cast<const volatile double *>(address);
    vernier_u64 hi = vernier_bits(p[0]), lo = vernier_bits(p[1]), seen_hi, seen_lo;
    do {
        seen_hi = hi;
        seen_lo = lo;
        const vernier_pair64 x{vernier_f64(hi), vernier_f64(lo)};
        const vernier_pair64 r = detail::fp64mp2_high_add(x, value.limbs());
        asm volatile("{\n\t.reg .b128 seen, next, old;\n\t"
                     "mov.b128 seen, {%2, %3};\n\tmov.b128 next, {%4, %5};\n\t"
                     "atom.relaxed.gpu.cas.b128 old, [%6], seen, next;\n\t"
                     "mov.b128 {%0, %1}, old;\n\t}"
                     : "=l"(hi), "=l"(lo)
                     : "l"(seen_hi), "l"(seen_lo), "l"(vernier_bits(r.hi)), "l"(vernier_bits(r.lo)), "l"(address)
                     : "memory");
    } while (hi != seen_hi || lo != seen_lo);
    return {vernier_f64(hi), vernier_f64(lo)};
#else
    return value;
#endif
}

