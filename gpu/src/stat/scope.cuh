template <accuracy A> class basic_fp32mp2_stat;
template <accuracy A> class basic_fp64mp2_stat;

#if defined(__CUDACC__)
/// While it lives the operations of a block are counted in shared memory; they reach the record once, when it ends. Every
/// thread of the block makes one before its first counted operation, and ends it after the last: both synchronise the
/// block. Without a scope everything is counted as well, and much slower, in `vernier_stat_here`.
class stat_scope {
public:
    __device__ explicit stat_scope(vernier_stat_device *device = &vernier_stat_here)
    {
        detail::vernier_stat_begin(detail::stat_group(), device, detail::stat_owner(), thread(), blockDim.x * blockDim.y * blockDim.z);
    }
    __device__ ~stat_scope() { detail::vernier_stat_end(detail::stat_group(), thread(), blockDim.x * blockDim.y * blockDim.z); }
    stat_scope(const stat_scope &) = delete;
    stat_scope &operator=(const stat_scope &) = delete;

private:
    __device__ static unsigned thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
};

#if !defined(__CUDACC_RTC__)
/// Resets the record, in the order of the stream.
inline cudaError_t stat_reset(cudaStream_t stream = 0)
{
    static const vernier_stat_device reset = VERNIER_STAT_RESET;
    return cudaMemcpyToSymbolAsync(vernier_stat_here, &reset, sizeof reset, 0, cudaMemcpyHostToDevice, stream);
}
/// Copies the record, in the order of the stream, and waits for it.
inline cudaError_t stat_read(vernier_stat_device &to, cudaStream_t stream = 0)
{
    const cudaError_t copied = cudaMemcpyFromSymbolAsync(&to, vernier_stat_here, sizeof to, 0, cudaMemcpyDeviceToHost, stream);
    return copied == cudaSuccess ? cudaStreamSynchronize(stream) : copied;
}
#endif
#endif

namespace detail {

template <class T> VERNIER_HD T make();

/// Whether an S converts to a T without a cast.
template <class S, class T> class converts {
    template <int> struct answer {};
    VERNIER_HD static void take(T);
    template <class U> VERNIER_HD static answer<1> test(decltype(take(make<U>())) *);
    template <class U> VERNIER_HD static answer<0> test(...);

public:
    static constexpr bool value = is_same<decltype(test<S>(nullptr)), answer<1>>::value;
};

/// int where S converts to T implicitly, or not; only looked at where N, one of the two, is a type of one number.
template <class S, class T, class N, bool implicitly, bool = scalar<N>::value> struct if_converts {};
template <class S, class T, class N, bool implicitly>
struct if_converts<S, T, N, implicitly, true> : enable_if<converts<S, T>::value == implicitly, int> {};

} // namespace detail

