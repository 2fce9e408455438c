// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's products of matrices for sm_100a, made by its collective builders: D = A B + C / 2. -DGROUP says
// which.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "cutlass_checked.hpp"
#include "exact.hpp"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;

template <class OfA, class LayoutA, class OfB, class LayoutB, class Tile, class Cluster, class Sum = float>
struct DenseProduct {
  static constexpr int bits = 128;  // of an aligned access
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, Sum, Sum, Sum, Row, bits / sizeof_bits_v<Sum>, Sum,
      Row, bits / sizeof_bits_v<Sum>, cutlass::epilogue::collective::EpilogueScheduleAuto>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, OfA, LayoutA, bits / sizeof_bits_v<OfA>, OfB,
      LayoutB, bits / sizeof_bits_v<OfB>, Sum, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      cutlass::gemm::collective::KernelScheduleAuto>::CollectiveOp;
  using Kernel =
      cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, Mainloop, Epilogue, void>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

  // M and N are no multiples of the tiles.
  static int run(const char* name, int m = 520, int n = 272, int k = 192) {
    checked::Random random;
    const auto a = checked::exact_numbers<OfA>(std::size_t(m) * k, random);
    const auto b = checked::exact_numbers<OfB>(std::size_t(n) * k, random);
    const auto c = checked::random_numbers<Sum>(std::size_t(m) * n, random);
    OfA* const device_a = checked::on_device(a);
    OfB* const device_b = checked::on_device(b);
    Sum *const device_c = checked::on_device(c), *const device_d = checked::unwritten<Sum>(c.size());
    const auto stride_a = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, {m, k, 1});
    const auto stride_b = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {n, k, 1});
    const auto stride_c = cutlass::make_cute_packed_stride(typename Kernel::StrideC{}, {m, n, 1});
    cutlass::KernelHardwareInfo hardware;
    hardware.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    const typename Gemm::Arguments arguments{cutlass::gemm::GemmUniversalMode::kGemm,
                                             {m, n, k, 1},
                                             {device_a, stride_a, device_b, stride_b},
                                             {{Sum(1), beta}, device_c, stride_c, device_d, stride_c},
                                             hardware};
    checked::Verdict verdict(name);
    checked::launch<Gemm>(arguments);
    verdict.wait();
    const auto d = checked::from_device(device_d, c.size());
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = double(beta) * c[std::size_t(i) * n + j], size = std::fabs(sum);
        for (int l = 0; l < k; ++l) {
          const double x =
              double(a[std::is_same_v<LayoutA, Row> ? std::size_t(i) * k + l : std::size_t(l) * m + i]);
          const double y =
              double(b[std::is_same_v<LayoutB, Column> ? std::size_t(j) * k + l : std::size_t(l) * n + j]);
          sum += x * y, size += std::fabs(x * y);
        }
        verdict.compare(double(d[std::size_t(i) * n + j]), sum, checked::share * size);
      }
    return verdict.said();
  }

  static constexpr Sum beta = std::is_integral_v<Sum> ? Sum(2) : Sum(.5f);
};

int main() {
  using cutlass::bfloat16_t, cutlass::half_t, cutlass::tfloat32_t, cutlass::float_e4m3_t,
      cutlass::float_e5m2_t;
  int failed = 0;
#if GROUP == 0
  failed |= DenseProduct<bfloat16_t, Row, bfloat16_t, Column, Shape<_256, _128, _64>, Shape<_2, _1, _1>>::run(
      "bf16 256x128x64, pair of blocks");
  failed |= DenseProduct<half_t, Column, half_t, Row, Shape<_128, _128, _64>, Shape<_1, _1, _1>>::run(
      "f16 128x128x64, contiguous rows");
  failed |= DenseProduct<bfloat16_t, Row, bfloat16_t, Column, Shape<_64, _64, _64>, Shape<_1, _1, _1>>::run(
      "bf16 64x64x64");
#elif GROUP == 1
  failed |=
      DenseProduct<float_e4m3_t, Row, float_e4m3_t, Column, Shape<_256, _256, _128>, Shape<_2, _2, _1>>::run(
          "e4m3 256x256x128, clusters of 2x2, multicast");
  failed |= DenseProduct<tfloat32_t, Row, tfloat32_t, Row, Shape<_128, _64, _32>, Shape<_1, _1, _1>>::run(
      "tf32 128x64x32, contiguous rows of B");
  failed |= DenseProduct<bfloat16_t, Row, bfloat16_t, Row, Shape<_128, _128, _64>, Shape<_2, _1, _1>>::run(
      "bf16 128x128x64, contiguous rows of B, pair of blocks");
#elif GROUP == 2
  failed |=
      DenseProduct<float_e5m2_t, Row, float_e4m3_t, Column, Shape<_128, _128, _128>, Shape<_1, _2, _1>>::run(
          "e5m2 by e4m3 128x128x128, clusters of 1x2");
  failed |= DenseProduct<std::int8_t, Row, std::int8_t, Column, Shape<_128, _128, _128>, Shape<_1, _1, _1>,
                         std::int32_t>::run("s8 128x128x128, sums in s32");
  failed |= DenseProduct<half_t, Row, half_t, Column, Shape<_256, _256, _64>, Shape<_4, _1, _1>>::run(
      "f16 256x256x64, clusters of 4x1");
#else
#error "GROUP is 0, 1 or 2"
#endif
  return failed;
}
