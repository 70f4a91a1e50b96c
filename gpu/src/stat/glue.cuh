extern "C" __global__ void vernier_stat_take(vernier_stat_device *device)
{
    *device = vernier_stat_here;
    vernier::detail::vernier_stat_clear(&vernier_stat_here);
}
template <class X, class Y> static __device__ __forceinline__ auto glue_add(X x, Y y) { return x + y; }
template <class X, class Y> static __device__ __forceinline__ auto glue_sub(X x, Y y) { return x - y; }
template <class X, class Y> static __device__ __forceinline__ auto glue_mul(X x, Y y) { return x * y; }
template <class X, class Y> static __device__ __forceinline__ auto glue_div(X x, Y y) { return x / y; }
template <class X, class C> static __device__ __forceinline__ X glue_acc(X x, C c) { return x += c; }
template <class X, class C> static __device__ __forceinline__ X glue_acc_negated(X x, C c) { return x -= c; }
template <class X> static __device__ __forceinline__ auto glue_hi(X x) { return x.hi(); }
template <class X> static __device__ __forceinline__ auto glue_lo(X x) { return x.lo(); }
template <class X> static __device__ __forceinline__ X glue_sqrt(X x) { return sqrt(x); }
template <class X> static __device__ __forceinline__ X glue_rsqrt(X x) { return rsqrt(x); }
template <class X> static __device__ __forceinline__ X glue_fma(X x, X y, X z) { return fma(x, y, z); }
template <class X> static __device__ __forceinline__ X glue_mad(X x, X y, X z) { return mad(x, y, z); }
template <class X> static __device__ __forceinline__ void glue_atomic_add(X *p, X x) { atomicAdd(p, x); }
template <class X> static __device__ __forceinline__ void glue_atomic_sub(X *p, X x) { atomicSub(p, x); }
