// Lengths of vectors with 46 digits from floats. Headers: vernier emit cuda -o include
//     nvcc -std=c++17 -fmad=false -Iinclude examples/cuda/norms.cu -o norms && ./norms
#include <vernier.cuh>
#include <cstdio>

__global__ void norms(const float *x, const float *y, float *hi, float *lo, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const vernier::fp32mp2 a(x[i]), b(y[i]);
    const vernier::fp32mp2 r = sqrt(a * a + b * b);
    hi[i] = r.hi;
    lo[i] = r.lo;
}

int main()
{
    const int n = 1 << 10;
    float *x, *y, *hi, *lo;
    for (float **p : {&x, &y, &hi, &lo}) cudaMallocManaged(p, n * sizeof(float));
    for (int i = 0; i < n; i++) x[i] = 1.0f + i, y[i] = 1.0f / (1 + i);
    norms<<<n / 256, 256>>>(x, y, hi, lo, n);
    if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("no device"), 1;
    std::printf("|(1, 1)| = %.15g\n", double(hi[0]) + double(lo[0]));
    return 0;
}
