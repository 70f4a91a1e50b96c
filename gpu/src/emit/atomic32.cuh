/// Adds to a pair in memory, by the high sequence whatever the level, with one 64-bit compare-and-swap that succeeds.
/// Returns the old pair.
template <accuracy A> __device__ basic_fp32mp2<A> atomicAdd(basic_fp32mp2<A> *address, basic_fp32mp2<A> value)
{
    unsigned long long *const p = reinterpret_cast<unsigned long long *>(address);
    unsigned long long old = *reinterpret_cast<volatile unsigned long long *>(p), seen;
    do {
        seen = old;
        const vernier_pair32 x{vernier_f32((vernier_u32)seen), vernier_f32((vernier_u32)(seen >> 32))};
        const vernier_pair32 r = detail::fp32mp2_high_add(x, value.limbs());
        old = ::atomicCAS(p, seen, (unsigned long long)vernier_bits(r.lo) << 32 | vernier_bits(r.hi));
    } while (old != seen);
    return {vernier_f32((vernier_u32)old), vernier_f32((vernier_u32)(old >> 32))};
}

