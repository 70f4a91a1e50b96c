// Forces of n bodies of mass 1 on body i, softened: p holds three coordinates for each body. The result is the length of the force.
template <class T> struct Forces {
    static __device__ __host__ T item(const double *p, long n, long i)
    {
        const T x(p[3 * i]), y(p[3 * i + 1]), z(p[3 * i + 2]), softening(1e-6f);
        T fx(0), fy(0), fz(0);
        for (long j = 0; j < n; j++) {
            const T dx = T(p[3 * j]) - x, dy = T(p[3 * j + 1]) - y, dz = T(p[3 * j + 2]) - z;
            const T square = dx * dx + dy * dy + dz * dz + softening;
            const T w = T(1) / (square * sqrt(square));
            fx = fx + w * dx;
            fy = fy + w * dy;
            fz = fz + w * dz;
        }
        return sqrt(fx * fx + fy * fy + fz * fz);
    }
};
