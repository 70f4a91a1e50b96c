// The instrumented types on a device, counted in every way.
#define VERNIER_ENABLE_STAT 1
#define VERNIER_STAT_EXTRA 1
#define VERNIER_STAT_HISTOGRAMS 1
#include "vernier.cuh"

using namespace vernier;

template <class S> __device__ void all(S *p)
{
    using P = typename S::base_type;
    S a = p[0], b = p[1];
    const P c = p[2];
    a = __shfl_sync(~0u, a, 3);
    b = __shfl_up_sync(~0u, b, 1u);
    b = __shfl_down_sync(~0u, b, 1u, 16);
    a = __shfl_xor_sync(~0u, a, 1);
    p[3] = atomicAdd(p + 4, a);
    p[5] = atomicSub(p + 4, S(c));
    p[6] = fma(a, b, a) / sqrt(b) + mad(a, b, rsqrt(b)) * c - c / a;
    a += 1;
    b -= 0.5f;
    a++;
    --b;
    p[7] = numeric_limits<S>::max();
    if (a < b || a == 1.0f || c == b) p[8] = -a;
    p[9] = S((double)a) + S(0.1);
}

extern "C" __global__ void in_a_scope(fp32mp2_stat *p, vernier_stat_device *record)
{
    stat_scope scope(record);
    if (threadIdx.x == 0) return;
    all(p);
}
extern "C" __global__ void without_a_scope(fp32mp2_stat_high *p) { all(p); }
extern "C" __global__ void twice(fp64mp2_stat_low *p)
{
    stat_scope scope;
    all(p);
}

#if !defined(__CUDACC_RTC__)
vernier_u64 host(cudaStream_t stream)
{
    static vernier_stat_device record;
    if (stat_reset(stream) != cudaSuccess || stat_read(record, stream) != cudaSuccess) return 0;
    return record.record.ops_count + record.record.result.zero_lo_count;
}
#endif
