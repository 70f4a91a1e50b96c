// What the header offers on a device, at every width.
#include "vernier.cuh"

using namespace vernier;

template <class T> __device__ void all(T *p)
{
    T a = p[0], b = p[1];
    a = __shfl_sync(~0u, a, 3);
    a = __shfl_xor_sync(~0u, a, 1);
    b = __shfl_up_sync(~0u, b, 1u);
    b = __shfl_down_sync(~0u, b, 1u, 16);
    p[2] = atomicAdd(p + 3, a);
    p[4] = atomicSub(p + 3, b);
    p[5] = fma(a, b, a) / sqrt(b) + mad(a, b, rsqrt(b));
    volatile T stored;
    stored = a;
    p[6] = stored;
    p[7] = numeric_limits<T>::max();
    if (a < b || a == 1.0f) p[8] = -a;
    p[9] += 1.0f;
    p[10] = a + 1.5;
    p[11] *= b;
    p[12] = add<accuracy::high>(a, b);
    constexpr T tenth(0.1);
    p[13] = T((long long)a + (int)b) - tenth;
    p[14] = T::icdf(7u);
}

// Reduced formats, also with the format as a kernel's argument.
extern "C" __global__ void custom_formats(fp64_custom<8, 23> *p, fp8_e4m3 *q, double *r, unsigned format)
{
    p[0] = fma(p[1], p[2], p[3]) / sqrt(p[4]) - 1.0f;
    q[0] = __shfl_sync(~0u, q[1] * q[2] + 1, 3);
    p[5] = numeric_limits<fp64_custom<8, 23>>::max();
    r[0] = double(custom_number(r[1], format) * r[2]);
    r[3] = custom::add(r[4], r[5], format | custom::stochastic, 7, threadIdx.x);
}

extern "C" __global__ void single(fp32mp2 *p) { all(p); }
extern "C" __global__ void single_high(fp32mp2_high *p) { all(p); }
#ifndef NO64
extern "C" __global__ void twice(fp64mp2_low *p) { all(p); }
#endif
