#if defined(cl_khr_int64_base_atomics)
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

/// Adds to an emulated double in global memory by the high sequence; returns the old one.
static inline ulong fp64emu_atomic_add(volatile __global ulong *address, ulong value)
{
    ulong old = *address, seen;
    do {
        seen = old;
        old = atom_cmpxchg(address, seen, fp64emu_high_add(seen, value));
    } while (old != seen);
    return old;
}

static inline ulong fp64emu_atomic_sub(volatile __global ulong *address, ulong value)
{
    return fp64emu_atomic_add(address, fp64emu_neg(value));
}
#endif
