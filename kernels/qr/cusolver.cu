// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuSOLVER, geqrf and orgqr; cuBLAS, geqrfBatched for small matrices
//   author: Podium
//   needs: [cusolver, cublas]

// Both libraries are column-major and work in place, so a is transposed into scratch memory, and q and r are
// transposed out of it. There is no batched way to multiply reflections out: orgqr takes matrix after matrix.
#include <podium/qr.hpp>

#include <cublas_v2.h>
#include <cusolverDn.h>

#include <algorithm>

namespace {
using podium::check;
using problem::real;
constexpr std::int64_t small =
    256;  // columns; one block holds what is batched, a large matrix fills the device
constexpr int side = 32, depth = 8;  // of a tile that is transposed, of the block that does it

// What the libraries spell differently for float and double.
struct Float {
  static constexpr auto geqrf_size = cusolverDnSgeqrf_bufferSize;
  static constexpr auto geqrf = cusolverDnSgeqrf;
  static constexpr auto orgqr_size = cusolverDnSorgqr_bufferSize;
  static constexpr auto orgqr = cusolverDnSorgqr;
  static constexpr auto batched = cublasSgeqrfBatched;
};
struct Double {
  static constexpr auto geqrf_size = cusolverDnDgeqrf_bufferSize;
  static constexpr auto geqrf = cusolverDnDgeqrf;
  static constexpr auto orgqr_size = cusolverDnDorgqr_bufferSize;
  static constexpr auto orgqr = cusolverDnDorgqr;
  static constexpr auto batched = cublasDgeqrfBatched;
};
using Calls = std::conditional_t<std::is_same_v<real, float>, Float, Double>;

// to(j, i) = from(i, j) of a batch of rows x cols; with `upper`, 0 where j > i, which is below to's diagonal.
struct Side {
  std::int64_t pitch, size;  // elements of a row, of a matrix
};
template <bool upper>
__global__ void __launch_bounds__(side* depth)
    transpose(const real* from, Side f, real* to, Side t, std::int64_t rows, std::int64_t cols) {
  __shared__ real tile[side][side + 1];
  const std::int64_t across = (cols + side - 1) / side, tiles = across * ((rows + side - 1) / side);
  const std::int64_t b = blockIdx.x / tiles, top = blockIdx.x % tiles / across * side,
                     left = blockIdx.x % across * side;
  const int x = int(threadIdx.x);
  for (int y = int(threadIdx.y); y < side; y += depth)
    if (top + y < rows && left + x < cols) tile[y][x] = from[b * f.size + (top + y) * f.pitch + left + x];
  __syncthreads();
  for (int y = int(threadIdx.y); y < side; y += depth)
    if (top + x < rows && left + y < cols)
      to[b * t.size + (left + y) * t.pitch + top + x] = upper && left + y > top + x ? real(0) : tile[x][y];
}

__global__ void list(real* matrices, std::int64_t size, real* taus, std::int64_t cols, std::int64_t batch,
                     real** of_matrix, real** of_tau) {
  const std::int64_t b = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (b >= batch) return;
  of_matrix[b] = matrices + b * size;
  of_tau[b] = taus + b * cols;
}

struct Contestant {
  cusolverDnHandle_t solver{};
  cublasHandle_t blas{};
  real *matrices, *taus, *scratch = nullptr, **of_matrix = nullptr, **of_tau = nullptr;
  int *info, scratch_size = 0;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : matrices(workspace.device<real>(std::size_t(w.batch * w.rows * w.cols))),
        taus(workspace.device<real>(std::size_t(w.batch * w.cols))),
        info(workspace.device<int>(1)) {
    podium::require(w.rows * w.cols < 2147483648 && w.batch < 2147483648,
                    "cuSOLVER counts elements of a matrix in 32 bits");
    check(cusolverDnCreate(&solver));
    check(cusolverDnSetStream(solver, stream));
    const int m = int(w.rows), n = int(w.cols);
    int first = 0, second = 0;
    check(Calls::geqrf_size(solver, m, n, matrices, m, &first));
    check(Calls::orgqr_size(solver, m, n, n, matrices, m, taus, &second));
    scratch_size = std::max(first, second);
    scratch = workspace.device<real>(std::size_t(scratch_size));
    if (w.cols >= small || w.batch == 0) return;
    check(cublasCreate(&blas));
    check(cublasSetStream(blas, stream));
    of_matrix = workspace.device<real*>(std::size_t(w.batch));
    of_tau = workspace.device<real*>(std::size_t(w.batch));
    constexpr int block = 256;
    podium::launch(list, dim3(unsigned(podium::ceil_div(w.batch, block))), dim3(block), 0, stream, matrices,
                   w.rows * w.cols, taus, w.cols, w.batch, of_matrix, of_tau);
  }
  ~Contestant() {
    if (blas) cublasDestroy(blas);
    cusolverDnDestroy(solver);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch == 0) return;
    const std::int64_t rows = args.rows, cols = args.cols, size = rows * cols;
    const int m = int(rows), n = int(cols);
    const auto grid = [&](std::int64_t i, std::int64_t j) {
      return dim3(unsigned(args.batch * podium::ceil_div(i, side) * podium::ceil_div(j, side)));
    };
    const dim3 block(side, depth);
    podium::launch(transpose<false>, grid(rows, cols), block, 0, stream, args.a.data, Side{cols, size},
                   matrices, Side{rows, size}, rows, cols);
    if (blas) {
      int wrong_argument = 0;
      check(Calls::batched(blas, m, n, of_matrix, m, of_tau, &wrong_argument, int(args.batch)));
    } else {
      for (std::int64_t b = 0; b < args.batch; ++b)
        check(
            Calls::geqrf(solver, m, n, matrices + b * size, m, taus + b * cols, scratch, scratch_size, info));
    }
    podium::launch(transpose<true>, grid(cols, cols), block, 0, stream, matrices, Side{rows, size},
                   args.r.data, Side{cols, cols * cols}, cols, cols);
    for (std::int64_t b = 0; b < args.batch; ++b)
      check(Calls::orgqr(solver, m, n, n, matrices + b * size, m, taus + b * cols, scratch, scratch_size,
                         info));
    podium::launch(transpose<false>, grid(cols, rows), block, 0, stream, matrices, Side{rows, size},
                   args.q.data, Side{cols, size}, cols, rows);
  }
};
}  // namespace
