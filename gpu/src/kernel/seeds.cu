// Whether reciprocals and roots that start from the hardware's approximation are correctly rounded: counts, for the
// bit patterns from `first` on, the operands for which each of them is not.
//
// n: operands. wrong: reciprocal, moderate reciprocal, root, reciprocal of the root. Operands outside [2^low, 2^high)
// do not count for the last three. Double operands are random.

VERNIER_INLINE vernier_u64 vernier_mix(vernier_u64 x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

VERNIER_INLINE float vernier_exact_rcp(float a) { return __frcp_rn(a); }
VERNIER_INLINE double vernier_exact_rcp(double a) { return __drcp_rn(a); }

template <typename T>
__device__ void vernier_seeds(T a, T low, T high, unsigned *wrong)
{
    const T rcp = vernier_exact_rcp(a);
    const bool nan = a != a;
    if (!nan && vernier_bits(vernier_rcp(a)) != vernier_bits(rcp)) atomicAdd(&wrong[0], 1u);
    const T m = vernier_abs(a);
    if (m >= low && m < high) {
        if (vernier_bits(vernier_rcp_moderate(a)) != vernier_bits(rcp)) atomicAdd(&wrong[1], 1u);
        T root, root_rcp;
        vernier_sqrt_rcp(m, root, root_rcp);
        if (vernier_bits(root) != vernier_bits(vernier_sqrt(m))) atomicAdd(&wrong[2], 1u);
        if (vernier_bits(root_rcp) != vernier_bits(vernier_exact_rcp(root))) atomicAdd(&wrong[3], 1u);
    }
}

extern "C" __global__ void seeds32(vernier_u64 first, vernier_u64 n, float low, float high, unsigned *wrong)
{
    for (vernier_u64 i = VERNIER_ITEM; i < n; i += VERNIER_ITEMS)
        vernier_seeds(vernier_f32((vernier_u32)(first + i)), low, high, wrong);
}

extern "C" __global__ void seeds64(vernier_u64 first, vernier_u64 n, double low, double high, unsigned *wrong)
{
    for (vernier_u64 i = VERNIER_ITEM; i < n; i += VERNIER_ITEMS) {
        // Random bits; exponents near 0, where only the significand matters; significands next to a power of two, where
        // corrections are most likely to fail.
        const vernier_u64 bits = vernier_mix((first + i) * 0x9e3779b97f4a7c15ull);
        const vernier_u64 near = (bits & 0x800fffffffffffffull) | (1022ull + (bits >> 52 & 3)) << 52;
        const vernier_u64 power = (bits >> 52 << 52) + (bits & 63) - 32;
        vernier_seeds(vernier_f64((i & 1) != 0 ? near : (i & 2) != 0 ? power : bits), low, high, wrong);
    }
}
