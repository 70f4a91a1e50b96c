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
}

extern "C" __global__ void single(fp32mp2 *p) { all(p); }
extern "C" __global__ void single_high(fp32mp2_high *p) { all(p); }
#ifndef NO64
extern "C" __global__ void twice(fp64mp2_low *p) { all(p); }
#endif
