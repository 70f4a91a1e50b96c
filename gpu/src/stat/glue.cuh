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
