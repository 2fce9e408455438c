// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's products for sm_100a of an A that is narrower than B and has scale factors, and zero points where
// it is told of them: D = (A S + Z) B. A is widened, multiplied and moved on its way to the tensor cores.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cute/tensor.hpp>
#include <cutlass/detail/sm100_mixed_dtype_blockwise_layout.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "cutlass_checked.hpp"
#include "packed.hpp"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;

// A scale factor, and a zero point, for `together` numbers of a row of A.
template <class OfA, class OfB, class LayoutB, bool with_zeros, int together, class Tile, class Cluster,
          class Schedule, class EpilogueSchedule>
struct ScaledInput {
  using Config = cutlass::detail::Sm100MixedInputBlockwiseScaleConfig<1, together>;
  using A = cute::conditional_t<with_zeros, cute::tuple<OfA, OfB, OfB>, cute::tuple<OfA, OfB>>;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, void, Row, 4, float, Row, 4,
      EpilogueSchedule>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, A, cute::tuple<Row, typename Config::LayoutScale>,
      128 / sizeof_bits_v<OfA>, OfB, LayoutB, 128 / sizeof_bits_v<OfB>, float, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      Schedule>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

  static int run(const char* name, int m, int n, int k) {
    checked::Random random;
    const checked::Packed<OfA> a(std::size_t(m) * k, random);
    const checked::Packed<OfB> b(std::size_t(n) * k, random);
    const auto layout = Config::tile_atom_to_shape_scale(make_shape(m, k, 1));
    // Eighths, such that no widened number of A needs more bits than B's type has.
    const auto eighths = [&](int least) {
      std::vector<OfB> all(size(filter_zeros(layout)));
      for (auto& x : all) x = OfB((least + int(random.below(16))) / 8.F);
      return all;
    };
    const auto scales = eighths(2);
    const auto zeros = with_zeros ? eighths(-8) : std::vector<OfB>(scales.size());
    using Inputs = typename Mainloop::Arguments;
    float* const device_d = checked::unwritten<float>(std::size_t(m) * n);
    const auto stride_d = cutlass::make_cute_packed_stride(typename Kernel::StrideD{}, {m, n, 1});
    typename Gemm::Arguments arguments{cutlass::gemm::GemmUniversalMode::kGemm,
                                       {m, n, k, 1},
                                       {},
                                       {{}, nullptr, stride_d, device_d, stride_d}};
    Inputs& inputs = arguments.mainloop;
    inputs.ptr_A = reinterpret_cast<decltype(Inputs::ptr_A)>(checked::on_device(a.bytes));
    inputs.dA = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, {m, k, 1});
    inputs.ptr_B = reinterpret_cast<decltype(Inputs::ptr_B)>(checked::on_device(b.bytes));
    inputs.dB = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {n, k, 1});
    inputs.ptr_S = checked::on_device(scales), inputs.layout_S = layout;
    if constexpr (with_zeros) inputs.ptr_Z = checked::on_device(zeros);
    arguments.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    checked::Verdict verdict(name);
    checked::launch<Gemm>(arguments);
    verdict.wait();

    const auto d = checked::from_device(device_d, std::size_t(m) * n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0, size = 0;
        for (int l = 0; l < k; ++l) {
          const auto at = layout(make_coord(i, l, 0));
          const double x = a.values[std::size_t(i) * k + l] * float(scales[at]) + float(zeros[at]);
          const double y =
              b.values[std::is_same_v<LayoutB, Column> ? std::size_t(j) * k + l : std::size_t(l) * n + j];
          sum += x * y, size += std::fabs(x * y);
        }
        verdict.compare(d[std::size_t(i) * n + j], sum, checked::share * size);
      }
    return verdict.said();
  }
};

int main() {
  using namespace cutlass::gemm;
  using namespace cutlass::epilogue;
  using cutlass::bfloat16_t, cutlass::half_t, cutlass::float_e4m3_t;
  int failed = 0;
  failed |= ScaledInput<std::int8_t, bfloat16_t, Column, false, 64, Shape<_128, _128, _64>, Shape<_1, _1, _1>,
                        KernelTmaWarpSpecialized1SmMixedInputSm100,
                        TmaWarpSpecialized1Sm>::run("s8 by bf16, 128x128x64, scaled", 264, 136, 208);
  failed |=
      ScaledInput<std::int8_t, half_t, Row, true, 128, Shape<_256, _64, _64>, Shape<_2, _1, _1>,
                  KernelTmaWarpSpecialized2SmMixedInputSm100,
                  TmaWarpSpecialized2Sm>::run("s8 by f16, 256x64x64, scaled, zero points, pair of blocks",
                                              272, 136, 208);
  return failed;
}
