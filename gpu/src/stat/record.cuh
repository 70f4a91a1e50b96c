// What a record holds after a reset.
#define VERNIER_STAT_SLOT {-2147483647 - 1, 2147483647, 0, 0, 0, 0, 0, 0, 0, 0, -2147483647 - 1, 2147483647, 0, 0}
#define VERNIER_STAT_RESET                                                                                             \
    {{0, 0, 0, 0, 0, 0, 0, 0, 0, {VERNIER_STAT_SLOT, VERNIER_STAT_SLOT, VERNIER_STAT_SLOT}, VERNIER_STAT_SLOT},        \
     0, 0, 0, 0, 0, {0, 0, 0, 0}}

#if defined(__CUDACC__)
/// What kernels count where they name no other record: one in each translation unit, or in the program with relocatable
/// device code.
#if defined(__CUDACC_RTC__)
extern "C" {
__device__ vernier_stat_device vernier_stat_here = VERNIER_STAT_RESET;
}
#elif defined(__CUDACC_RDC__)
inline __device__ vernier_stat_device vernier_stat_here = VERNIER_STAT_RESET;
#else
static __device__ vernier_stat_device vernier_stat_here = VERNIER_STAT_RESET;
#endif
#endif
