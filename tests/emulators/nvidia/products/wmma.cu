// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of one warp through nvcuda::wmma; wmma_test.py includes this file and says of which types and
// shapes.
#include <mma.h>

using namespace nvcuda;

namespace {

template <class T>
struct StoredAs {
  using Type = T;
};
template <>
struct StoredAs<wmma::precision::tf32> {
  using Type = float;
};
template <class T>
using Stored = typename StoredAs<T>::Type;

constexpr wmma::layout_t row_major = wmma::mem_row_major, col_major = wmma::mem_col_major;

// D = A B + C. The elementwise one: D = 3 (2 A B + C) + C, element by element of the fragments.
enum class How { plain, saturated, elementwise };

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D, How how>
__device__ void multiply(D* d, const Stored<T>* a, const Stored<T>* b, const C* c, unsigned lda, unsigned ldb,
                         unsigned ldc, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, C> fc;
  wmma::fragment<wmma::accumulator, m, n, k, D> fd;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(fc, c, ldc, layout);
  if constexpr (how == How::elementwise)
    for (auto& x : fa.x) x = x + x;
  if constexpr (how == How::saturated)
    wmma::mma_sync(fd, fa, fb, fc, true);
  else
    wmma::mma_sync(fd, fa, fb, fc);
  if constexpr (how == How::elementwise)
    for (int i = 0; i < fd.num_elements; ++i) fd.x[i] = fd.x[i] + fd.x[i] + fd.x[i] + static_cast<D>(fc.x[i]);
  wmma::store_matrix_sync(d, fd, ldc, layout);
}

// Of `size` elements, by all lanes.
template <class T>
__device__ void copy(T* to, const T* from, unsigned size) {
  for (unsigned i = threadIdx.x; i < size; i += 32) to[i] = from[i];
  __syncwarp();
}

constexpr unsigned most_elements = 1024;  // of a matrix, with what lies between its rows

}  // namespace

#define GLOBAL(name, m, n, k, T, la, lb, C, D, lc, how)                                                   \
  extern "C" __global__ void name(D* d, const Stored<T>* a, const Stored<T>* b, const C* c, unsigned lda, \
                                  unsigned ldb, unsigned ldc) {                                           \
    multiply<m, n, k, T, wmma::la, wmma::lb, C, D, How::how>(d, a, b, c, lda, ldb, ldc, lc);              \
  }

#define SHARED(name, m, n, k, T, la, lb, C, D, lc, how)                                                   \
  extern "C" __global__ void name(D* d, const Stored<T>* a, const Stored<T>* b, const C* c, unsigned lda, \
                                  unsigned ldb, unsigned ldc) {                                           \
    __shared__ alignas(32) Stored<T> sa[most_elements], sb[most_elements];                                \
    __shared__ alignas(32) C sc[most_elements];                                                           \
    __shared__ alignas(32) D sd[most_elements];                                                           \
    copy(sa, a, most_elements);                                                                           \
    copy(sb, b, most_elements);                                                                           \
    copy(sc, c, most_elements);                                                                           \
    copy(sd, d, most_elements);                                                                           \
    multiply<m, n, k, T, wmma::la, wmma::lb, C, D, How::how>(sd, sa, sb, sc, lda, ldb, ldc, lc);          \
    __syncwarp();                                                                                         \
    copy(d, sd, most_elements);                                                                           \
  }

// Mistakes; each is a line that the test looks for.
extern "C" __global__ void outside(float* d, const half* a, unsigned lda) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::load_matrix_sync(fa, a, lda);
  if (threadIdx.x == 0) d[0] = __half2float(fa.x[0]);
}

extern "C" __global__ void raced(float* d, const half* a, unsigned lda) {
  __shared__ alignas(32) half tile[256];
  for (unsigned i = threadIdx.x; i < 256; i += 32) tile[i] = a[i];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::load_matrix_sync(fa, tile, lda);
  if (threadIdx.x == 0) d[0] = __half2float(fa.x[0]);
}
