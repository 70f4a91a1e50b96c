// Lengths of vectors: x holds three numbers for each item.
template <class T> struct Norms {
    static __device__ __host__ T item(const double *x, long, long i)
    {
        const T a(x[3 * i]), b(x[3 * i + 1]), c(x[3 * i + 2]);
        return sqrt(a * a + b * b + c * c);
    }
};
