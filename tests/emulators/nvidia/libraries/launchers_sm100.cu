// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's own launchers of CUTLASS's products for sm_100a, as its operators call them: those of bf16, of
// fp8 with a factor for each operand, of nvfp4 with one for the product, of mxfp8. -DGROUP says which.
#define ENABLE_BF16
#define CUTLASS_ENABLE_GDC_FOR_SM100 1
#include <flashinfer/gemm/cutlass_gemm_configs.h>
#include <cutlass/util/packed_stride.hpp>
#if GROUP == 0
#include <flashinfer/gemm/bf16_gemm_template_sm100.h>
#elif GROUP == 1
#include <flashinfer/gemm/fp8_gemm_template_sm100.h>
#elif GROUP == 2
#include <flashinfer/gemm/fp4_gemm_template_sm100.h>
#elif GROUP == 3
#include <flashinfer/gemm/mxfp8_gemm_template_sm100.h>
#else
#error "GROUP is 0, 1, 2 or 3"
#endif
#include <cutlass/detail/sm100_blockscaled_layout.hpp>

#include "block_factors.hpp"
#include "cutlass_checked.hpp"
#include "packed.hpp"

#if GROUP == 2
namespace flashinfer::gemm {
INSTANTIATE_FP4_GEMM_KERNEL_LAUNCHER(half, 128, 128, 256, 1, 1, 1, _1SM)
INSTANTIATE_FP4_GEMM_KERNEL_LAUNCHER(half, 128, 128, 256, 2, 1, 1, _2SM)
}  // namespace flashinfer::gemm
#elif GROUP == 3
namespace flashinfer::gemm {
INSTANTIATE_MXFP8_GEMM_KERNEL_LAUNCHER(half, 128, 128, 128, 1, 2, 1, _1SM)
INSTANTIATE_MXFP8_GEMM_KERNEL_LAUNCHER(half, 128, 128, 128, 2, 1, 1, _2SM)
}  // namespace flashinfer::gemm
#endif

namespace {

using namespace flashinfer::gemm;

// Half a unit in the last place of D, beside what f32 sums may be off.
template <class T>
double limit(double sum, double size) {
  constexpr int digits = cute::is_same_v<T, half> || cute::is_same_v<T, cutlass::half_t> ? 11 : 8;
  return checked::share * size + std::fabs(sum) * std::ldexp(1., -digits);
}

// Calls a launcher twice, as its operators do: for the bytes of its workspace, and to launch.
template <class Launcher>
void launched(const Launcher& launcher) {
  const std::size_t bytes = launcher(true, nullptr, 0) + 256;
  launcher(false, checked::on_device(std::vector<char>(bytes)), bytes);
}

#if GROUP < 2
// `b` products; D's numbers are contiguous along rows.
template <int rows, int columns, int depth, class Cluster, class Pair>
int run(const char* name, int m, int n, int k, int b) {
  checked::Random random;
#if GROUP == 0
  using Element = cutlass::bfloat16_t;
  using Out = __nv_bfloat16;
  const double scale = 1;
#else
  using Element = cutlass::float_e4m3_t;
  using Out = half;
  const float factor_a = 1.625f, factor_b = .34375f;
  const double scale = double(factor_a) * factor_b;
#endif
  const std::size_t count = std::size_t(b) * m * n;
  const checked::Packed<Element> x(std::size_t(b) * m * k, random), y(std::size_t(b) * n * k, random);
  const auto *device_x = checked::on_device(x.bytes), *device_y = checked::on_device(y.bytes);
  Out* const device_d = checked::unwritten<Out>(count);
#if GROUP == 1
  const float *device_a = checked::on_device(std::vector{factor_a}),
              *device_b = checked::on_device(std::vector{factor_b});
#endif
  checked::Verdict verdict(name);
  launched([&](bool asks, char* workspace, std::size_t bytes) {
#if GROUP == 0
    return genericBf16GemmKernelLauncherSm100<Out, cutlass::arch::Sm100, rows, columns, depth, Cluster, Pair>(
        asks ? nullptr : reinterpret_cast<const __nv_bfloat16*>(device_x),
        asks ? nullptr : reinterpret_cast<const __nv_bfloat16*>(device_y), asks ? nullptr : device_d, m, n, k,
        b, {}, workspace, bytes, nullptr);
#else
    return genericFp8GemmKernelLauncherSm100<Out, cutlass::arch::Sm100, rows, columns, depth, Cluster, Pair>(
        asks ? nullptr : reinterpret_cast<const __nv_fp8_e4m3*>(device_x),
        asks ? nullptr : reinterpret_cast<const __nv_fp8_e4m3*>(device_y), device_a, device_b,
        asks ? nullptr : device_d, m, n, k, b, {}, workspace, bytes, nullptr);
#endif
  });
  verdict.wait();
  const auto d = checked::from_device(device_d, count);
  for (int g = 0; g < b; ++g)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0, size = 0;
        for (int l = 0; l < k; ++l) {
          const double term =
              scale * x.values[(std::size_t(g) * m + i) * k + l] * y.values[(std::size_t(g) * n + j) * k + l];
          sum += term, size += std::fabs(term);
        }
        verdict.compare(double(float(d[(std::size_t(g) * n + j) * m + i])), sum, limit<Out>(sum, size));
      }
  return verdict.said();
}
#else
// One product; D's numbers are contiguous along columns.
template <int rows, int columns, int depth, int cluster_rows, int cluster_columns, class Pair>
int run(const char* name, int m, int n, int k) {
  using cute::Int;
#if GROUP == 2
  using Element = cutlass::float_e2m1_t;
  using Factor = cutlass::float_ue4m3_t;
  using Config = cutlass::detail::Sm1xxBlockScaledConfig<16>;
  const float whole = 1.375f;  // for all of the product
  const float* const device_whole = checked::on_device(std::vector{whole});
#else
  using Element = cutlass::float_e4m3_t;
  using Factor = cutlass::float_ue8m0_t;
  using Config = cutlass::detail::Sm1xxBlockScaledConfig<32>;
  const double whole = 1;
#endif
  checked::Random random;
  const checked::Packed<Element> a(std::size_t(m) * k, random), b(std::size_t(n) * k, random);
  const auto layout_a = Config::tile_atom_to_shape_SFA(cute::make_shape(m, n, k, 1));
  const auto layout_b = Config::tile_atom_to_shape_SFB(cute::make_shape(m, n, k, 1));
  const auto factors_a = checked::block_factors<Factor>(layout_a, random);
  const auto factors_b = checked::block_factors<Factor>(layout_b, random);
  const void *device_a = checked::on_device(a.bytes), *device_b = checked::on_device(b.bytes);
  const void *of_a = checked::on_device(factors_a), *of_b = checked::on_device(factors_b);
  half* const device_d = checked::unwritten<half>(std::size_t(m) * n);
  checked::Verdict verdict(name);
  launched([&](bool asks, char* workspace, std::size_t bytes) {
    int occupancy = 0;
#if GROUP == 2
    return genericFp4GemmKernelLauncher<half, Int<rows>, Int<columns>, Int<depth>, Int<cluster_rows>,
                                        Int<cluster_columns>, Int<1>, Pair>(
        asks ? nullptr : device_d, asks ? nullptr : device_a, asks ? nullptr : device_b, of_a, of_b,
        device_whole, m, n, k, 1, {}, workspace, bytes, nullptr, &occupancy);
#else
    return genericMxfp8GemmKernelLauncher<half, Int<rows>, Int<columns>, Int<depth>, Int<cluster_rows>,
                                          Int<cluster_columns>, Int<1>, Pair>(
        asks ? nullptr : device_d, asks ? nullptr : device_a, asks ? nullptr : device_b, of_a, of_b, m, n, k,
        1, {}, workspace, bytes, nullptr, &occupancy);
#endif
  });
  verdict.wait();
  const auto d = checked::from_device(device_d, std::size_t(m) * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0, size = 0;
      for (int l = 0; l < k; ++l) {
        const double scale = double(float(factors_a[layout_a(cute::make_coord(i, l, 0))])) *
                             double(float(factors_b[layout_b(cute::make_coord(j, l, 0))]));
        const double term =
            whole * scale * a.values[std::size_t(i) * k + l] * b.values[std::size_t(j) * k + l];
        sum += term, size += std::fabs(term);
      }
      verdict.compare(double(float(d[std::size_t(i) * n + j])), sum, limit<half>(sum, size));
    }
  return verdict.said();
}
#endif

}  // namespace

int main() {
#if GROUP == 0
  int failed =
      run<128, 64, 128, cute::Shape<cute::_1, cute::_1, cute::_1>, _1SM>("bf16 128x64x128", 200, 72, 328, 2);
  failed |= run<128, 128, 128, cute::Shape<cute::_2, cute::_1, cute::_1>, _2SM>(
      "bf16 256x128x128, pair of blocks", 264, 136, 264, 1);
#elif GROUP == 1
  int failed =
      run<64, 64, 128, cute::Shape<cute::_1, cute::_1, cute::_1>, _1SM>("e4m3 64x64x128", 136, 80, 272, 2);
  failed |= run<128, 128, 128, cute::Shape<cute::_2, cute::_1, cute::_1>, _2SM>(
      "e4m3 256x128x128, pair of blocks", 264, 144, 272, 1);
#elif GROUP == 2
  int failed = run<128, 128, 256, 1, 1, _1SM>("nvfp4 128x128x256", 200, 136, 544);
  failed |= run<128, 128, 256, 2, 1, _2SM>("nvfp4 256x128x256, pair of blocks", 264, 136, 512);
#else
  int failed = run<128, 128, 128, 1, 2, _1SM>("mxfp8 128x128x128, clusters of 1x2", 200, 264, 288);
  failed |= run<128, 128, 128, 2, 1, _2SM>("mxfp8 256x128x128, pair of blocks", 264, 136, 256);
#endif
  return failed;
}
