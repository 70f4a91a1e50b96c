// Lengths of vectors with 46 digits from floats, behind the header: vernier emit opencl --only pairs -o vernier.cl
// Compile both with -cl-std=CL1.2 and no option that loosens arithmetic.
__kernel void norms(__global const float *x, __global const float *y, __global float2 *r)
{
    const size_t i = get_global_id(0);
    const float2 a = (float2)(x[i], 0), b = (float2)(y[i], 0);
    r[i] = fp32mp2_sqrt(fp32mp2_mid_add(fp32mp2_mid_mul(a, a), fp32mp2_mid_mul(b, b)));
}
