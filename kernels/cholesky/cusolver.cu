// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuSOLVER, potrfBatched; potrf for few large matrices
//   author: Podium
//   needs: [cusolver]

// Row-major and lower is column-major and upper: cuSOLVER finds u with uᵀ u = a, in place. One kernel copies
// the half that is needed and tells where the matrices lie, which differs from call to call; another puts
// zeros into the other half afterwards, which potrfBatched works in.
#include <podium/cholesky.hpp>

#include <cusolverDn.h>

namespace {
using podium::check;
using problem::real;
constexpr auto part = CUBLAS_FILL_MODE_UPPER;
constexpr int block = 256;
// One call factorises matrix after matrix with the whole device, the other all at once with a part of it
// each.
constexpr std::int64_t few = 4, large = 512;

cusolverStatus_t scratch_of(cusolverDnHandle_t h, int n, float* a, int* size) {
  return cusolverDnSpotrf_bufferSize(h, part, n, a, n, size);
}
cusolverStatus_t scratch_of(cusolverDnHandle_t h, int n, double* a, int* size) {
  return cusolverDnDpotrf_bufferSize(h, part, n, a, n, size);
}
cusolverStatus_t potrf(cusolverDnHandle_t h, int n, float* a, float* scratch, int size, int* info) {
  return cusolverDnSpotrf(h, part, n, a, n, scratch, size, info);
}
cusolverStatus_t potrf(cusolverDnHandle_t h, int n, double* a, double* scratch, int size, int* info) {
  return cusolverDnDpotrf(h, part, n, a, n, scratch, size, info);
}
cusolverStatus_t batched(cusolverDnHandle_t h, int n, float** a, int* info, int batch) {
  return cusolverDnSpotrfBatched(h, part, n, a, n, info, batch);
}
cusolverStatus_t batched(cusolverDnHandle_t h, int n, double** a, int* info, int batch) {
  return cusolverDnDpotrfBatched(h, part, n, a, n, info, batch);
}

__global__ void __launch_bounds__(block)
    lay_out(const real* a, real* l, std::int64_t n, std::int64_t size, real** matrices) {
  const std::int64_t at = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (at >= size) return;
  const std::int64_t i = at / n % n, j = at % n;
  if (j <= i) l[at] = a[at];
  if (i == 0 && j == 0) matrices[at / (n * n)] = l + at;
}

__global__ void __launch_bounds__(block) clear_above(real* l, std::int64_t n, std::int64_t size) {
  const std::int64_t at = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (at < size && at % n > at / n % n) l[at] = real(0);
}

struct Contestant {
  cusolverDnHandle_t handle{};
  real **matrices, *scratch = nullptr;
  int *info, size = 0;
  bool one_by_one;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : matrices(workspace.device<real*>(std::size_t(w.batch))),
        info(workspace.device<int>(std::size_t(w.batch))),
        one_by_one(w.batch <= few && w.n >= large) {
    podium::require(w.n <= 46340 && w.batch <= 2147483647, "cuSOLVER counts elements of a matrix in 32 bits");
    check(cusolverDnCreate(&handle));
    check(cusolverDnSetStream(handle, stream));
    if (!one_by_one) return;
    check(scratch_of(handle, int(w.n), static_cast<real*>(nullptr), &size));
    scratch = workspace.device<real>(std::size_t(size));
  }
  ~Contestant() { cusolverDnDestroy(handle); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch == 0) return;
    const std::int64_t n = args.n;
    const dim3 blocks(unsigned(podium::ceil_div(args.l.size(), block)));
    podium::launch(lay_out, blocks, dim3(block), 0, stream, args.a.data, args.l.data, n, args.l.size(),
                   matrices);
    if (!one_by_one) check(batched(handle, int(n), matrices, info, int(args.batch)));
    for (std::int64_t b = 0; one_by_one && b < args.batch; ++b)
      check(potrf(handle, int(n), args.l.data + b * n * n, scratch, size, info + b));
    podium::launch(clear_above, blocks, dim3(block), 0, stream, args.l.data, n, args.l.size());
  }
};
}  // namespace
