// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's products of block-scaled matrices for sm_100a: D = A B, with a scale factor for 16 or 32 numbers
// of a row of A or a column of B. -DGROUP says which.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/detail/sm100_blockscaled_layout.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "block_factors.hpp"
#include "cutlass_checked.hpp"
#include "packed.hpp"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;

using Mixed = cutlass::gemm::KernelMixedTmaCpAsyncWarpSpecialized1SmBlockScaledSm100;

// `Pair`: cutlass::mx_float8_t<...>, cutlass::nv_float4_t<...>.
template <class Pair, class Tile, class Cluster,
          class EpilogueTile = cutlass::epilogue::collective::EpilogueTileAuto,
          class EpilogueSchedule = cutlass::epilogue::collective::EpilogueScheduleAuto,
          class Schedule = cutlass::gemm::collective::KernelScheduleAuto>
struct ScaledProduct {
  using Element = typename Pair::DataType;
  using Factor = typename Pair::ScaleFactorType;
  static constexpr int aligned = sizeof_bits_v<Element> < 8 ? 32 : 16;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassBlockScaledTensorOp, Tile, Cluster, EpilogueTile, float,
      float, float, Row, 4, float, Row, 4, EpilogueSchedule>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassBlockScaledTensorOp, Pair, Row, aligned, Pair, Column,
      aligned, float, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      Schedule>::CollectiveOp;
  using Kernel =
      cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, Mainloop, Epilogue, void>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
  using Config = typename Mainloop::Sm1xxBlkScaledConfig;

  static int run(const char* name, int m = 256, int n = 256, int k = 512) {
    checked::Random random;
    const checked::Packed<Element> a(std::size_t(m) * k, random), b(std::size_t(n) * k, random);
    const auto layout_a = Config::tile_atom_to_shape_SFA(make_shape(m, n, k, 1));
    const auto layout_b = Config::tile_atom_to_shape_SFB(make_shape(m, n, k, 1));
    const auto factors_a = checked::block_factors<Factor>(layout_a, random);
    const auto factors_b = checked::block_factors<Factor>(layout_b, random);
    auto* const device_a = reinterpret_cast<Element*>(checked::on_device(a.bytes));
    auto* const device_b = reinterpret_cast<Element*>(checked::on_device(b.bytes));
    float* const device_d = checked::unwritten<float>(std::size_t(m) * n);
    const auto stride_d = cutlass::make_cute_packed_stride(typename Kernel::StrideD{}, {m, n, 1});
    typename Gemm::Arguments arguments{cutlass::gemm::GemmUniversalMode::kGemm,
                                       {m, n, k, 1},
                                       {},
                                       {{1.f, 0.f}, device_d, stride_d, device_d, stride_d}};
    auto& inputs = arguments.mainloop;
    inputs.ptr_A = device_a, inputs.ptr_B = device_b;
    inputs.ptr_SFA = checked::on_device(factors_a), inputs.ptr_SFB = checked::on_device(factors_b);
    // With `Mixed`, the kernel derives them from the problem's shape.
    if constexpr (std::is_same_v<Schedule, cutlass::gemm::collective::KernelScheduleAuto>) {
      inputs.dA = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, {m, k, 1});
      inputs.dB = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {n, k, 1});
      inputs.layout_SFA = layout_a, inputs.layout_SFB = layout_b;
    }
    arguments.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    checked::Verdict verdict(name);
    checked::launch<Gemm>(arguments);
    verdict.wait();
    const auto d = checked::from_device(device_d, std::size_t(m) * n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0, size = 0;
        for (int l = 0; l < k; ++l) {
          const double scale = double(float(factors_a[layout_a(make_coord(i, l, 0))])) *
                               double(float(factors_b[layout_b(make_coord(j, l, 0))]));
          const double x = a.values[std::size_t(i) * k + l] * b.values[std::size_t(j) * k + l] * scale;
          sum += x, size += std::fabs(x);
        }
        verdict.compare(d[std::size_t(i) * n + j], sum, checked::share * size);
      }
    return verdict.said();
  }
};

int main() {
  using cutlass::float_e4m3_t, cutlass::float_e5m2_t, cutlass::float_e3m2_t, cutlass::float_e2m1_t;
  using cutlass::mx_float8_t, cutlass::mx_float6_t, cutlass::mx_float4_t, cutlass::nv_float4_t;
  int failed = 0;
#if GROUP == 0
  failed |= ScaledProduct<mx_float8_t<float_e4m3_t>, Shape<_128, _128, _128>, Shape<_1, _1, _1>>::run(
      "mxfp8 e4m3 128x128x128");
  failed |= ScaledProduct<nv_float4_t<float_e2m1_t>, Shape<_128, _128, _256>, Shape<_1, _1, _1>>::run(
      "nvfp4 128x128x256");
  failed |= ScaledProduct<mx_float4_t<float_e2m1_t>, Shape<_128, _128, _256>, Shape<_1, _1, _1>>::run(
      "mxfp4 128x128x256");
#elif GROUP == 1
  failed |= ScaledProduct<mx_float8_t<float_e5m2_t>, Shape<_256, _128, _128>, Shape<_2, _1, _1>>::run(
      "mxfp8 e5m2 256x128x128, pair of blocks");
  // Where N is 256, the two accumulators share all columns of tensor memory but as many as the epilogue takes
  // at once. Of 32 (OpClassTensorOp's choice) the scale factors behind them end at column 528, and there are
  // 512; of 128 (OpClassBlockScaledTensorOp's) f32 does not fit into shared memory.
  failed |=
      ScaledProduct<nv_float4_t<float_e2m1_t>, Shape<_256, _256, _256>, Shape<_2, _1, _1>, Shape<_128, _64>,
                    cutlass::epilogue::TmaWarpSpecialized2Sm>::run("nvfp4 256x256x256, pair of blocks");
#elif GROUP == 2
  // A and scale factors by TMA, B by cp.async.
  failed |=
      ScaledProduct<mx_float8_t<float_e4m3_t>, Shape<_128, _128, _128>, Shape<_1, _1, _1>,
                    cutlass::epilogue::collective::EpilogueTileAuto, cutlass::epilogue::TmaWarpSpecialized1Sm,
                    Mixed>::run("mxfp8 e4m3 128x128x128, B by cp.async");
  failed |=
      ScaledProduct<nv_float4_t<float_e2m1_t>, Shape<_128, _128, _256>, Shape<_1, _1, _1>,
                    cutlass::epilogue::collective::EpilogueTileAuto, cutlass::epilogue::TmaWarpSpecialized1Sm,
                    Mixed>::run("nvfp4 128x128x256, B by cp.async", 264, 136, 544);
#else
#error "GROUP is 0, 1 or 2"
#endif
  return failed;
}
