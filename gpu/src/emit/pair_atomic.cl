#if defined(cl_khr_int64_base_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/// Adds to a pair in global memory by the high sequence; returns the old pair.
static inline float2 fp32mp2_atomic_add(volatile __global float2 *address, float2 value)
{
    volatile __global ulong *p = (volatile __global ulong *)address;
    ulong old = *p, seen;
    do {
        seen = old;
        old = atom_cmpxchg(p, seen, as_ulong(fp32mp2_high_add(as_float2(seen), value)));
    } while (old != seen);
    return as_float2(old);
}

static inline float2 fp32mp2_atomic_sub(volatile __global float2 *address, float2 value)
{
    return fp32mp2_atomic_add(address, -value);
}
#endif
