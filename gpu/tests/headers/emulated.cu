// What the classes of emulated doubles offer on a device. No kernel here but the last has an instruction of the FP64 pipe.
#include "vernier.cuh"

using namespace vernier;

template <class T> __device__ void use(T *p, int n, float f, double d, long long i)
{
    T a = p[0], b = p[1], c = p[2];
    p[3] = (a + b) * (c - a) / b + -c;
    p[4] = fma(a, b, c) + mad(a, b, c) + dot(a, b, c, a) + sqrt(b);
    cmul(a, b, b, c, p[5], p[6]);
    p[7] = a * 2 + f - d * b + i / c;
    p[8] += d, p[8] -= 1, p[8] *= f, p[8] /= i, ++p[8], p[8]--;
    if (a < b || a == 1.0 || c >= n || b != f) p[9] = T(n) + T(f) * T(d) - T(i) + T((unsigned char)n);
    p[10] = add<accuracy::low>(a, b) + fma<accuracy::mid>(a, b, c) + sqrt<accuracy::high>(c);
    p[11] = __dadd_rn(a, b) - __dmul_rn(a, b) * __ddiv_rn(a, b) + __dsqrt_rn(c) + __fma_rn(a, b, c) + __mad_rn(a, b, c);
    if (isnan(a) || isinf(b) || !isfinite(c) || signbit(a)) p[11] = fmin(fabs(a), d) + fmax(i, copysign(b, c));
    constexpr T tenth(0.1);
    p[12] = numeric_limits<T>::max() * tenth + numeric_limits<T>::epsilon();
    p[13] = T((int)a) + T((unsigned long long)b) + T((short)c) + T((float)a) + T((bool)b);
    a = __shfl_sync(~0u, a, 3);
    a = __shfl_xor_sync(~0u, a, 1);
    b = __shfl_up_sync(~0u, b, 1u);
    b = __shfl_down_sync(~0u, b, 1u, 16);
    p[14] = a;
    p[15] = b;
}

#define DIRECTED(mode)                                                                                                 \
    p[0] = __dadd_##mode(p[1], __dsub_##mode(p[2], __dmul_##mode(p[3], __ddiv_##mode(p[4], __dsqrt_##mode(p[5])))));    \
    p[6] = __fma_##mode(p[7], p[8], 3) + pack_##mode(unpack(p[9]) * unpack(p[10]));                                    \
    p[11] = ll2double_##mode<T>(i) - ull2double_##mode<T>((unsigned long long)i);                                      \
    p[12] = T(__double2int_##mode(p[12])) + __double2uint_##mode(p[13]) + __double2float_##mode(p[14]);                \
    p[13] = T(__double2ll_##mode(p[15])) + __double2ull_##mode(p[16])

template <accuracy A> __device__ void use_packed(basic_fp64emu<A> *p, int n, float f, double d, long long i)
{
    using T = basic_fp64emu<A>;
    use(p, n, f, d, i);
    DIRECTED(rz);
    DIRECTED(ru);
    DIRECTED(rd);
    DIRECTED(rn);
    p[17] = atomicAdd(p + 18, p[0]) + atomicSub(p + 18, p[1]);
    p[19] = T(fp64emu_unpacked(p[0]) / 3);
    p[20] = T::from_bits(p[21].bits() ^ 1);
}

#define KERNEL(name, T, function)                                                                                      \
    extern "C" __global__ void name(T *p, int n, float f, double d, long long i) { function(p, n, f, d, i); }
KERNEL(packed_low, fp64emu_low, use_packed)
KERNEL(packed_mid, fp64emu_mid, use_packed)
KERNEL(packed_high, fp64emu, use_packed)
KERNEL(unpacked_low, fp64emu_unpacked_low, use)
KERNEL(unpacked_mid, fp64emu_unpacked_mid, use)
KERNEL(unpacked_high, fp64emu_unpacked, use)

// As a user would write it.
extern "C" __global__ void chain(const double *x, double *y, unsigned n)
{
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    fp64emu_unpacked sum(0), h(x[t]);
    for (int k = 1; k < 20; k++) sum += 4 / (1 + h * h * k);
    const fp64emu packed(sum);
    y[t] = packed > 1 ? packed : fp64emu(x[t]) * 0.5f;
}

extern "C" __global__ void native(double *x) { x[0] += x[1]; }

#undef DIRECTED
#undef KERNEL
