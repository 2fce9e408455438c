// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's products of one matrix for each group, all of one shape, by as many columns as a group has, for
// sm_100a: D = A B, as of experts and their tokens.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/group_array_problem_shape.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>

#include "cutlass_checked.hpp"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Sizes = cutlass::gemm::MoEProblemShape<cute::Shape<int, int, int>>;

template <class Element, class Tile, class Cluster, class MainSchedule, class EndSchedule>
struct RaggedProducts {
  static constexpr int aligned = 128 / sizeof_bits_v<Element>;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, void, Column*, 4, float, Column*, 4,
      EndSchedule>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Element, Row, aligned, Element, Column*, aligned,
      float, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      MainSchedule>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Sizes, Mainloop, Epilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

  static int run(const char* name, int m, int k, std::vector<int> columns) {
    checked::Random random;
    const int groups = int(columns.size());
    const auto a = checked::random_numbers<Element>(std::size_t(groups) * m * k, random);
    std::vector<std::vector<Element>> b;
    std::vector<const Element*> at_b;
    std::vector<float*> at_d;
    int most = 0;
    for (const int n : columns) {
      b.push_back(checked::random_numbers<Element>(std::size_t(n) * k, random));
      at_b.push_back(checked::on_device(b.back()));
      at_d.push_back(checked::unwritten<float>(std::size_t(m) * n));
      most = std::max(most, n);
    }
    typename Gemm::Arguments arguments;
    arguments.mode = cutlass::gemm::GemmUniversalMode::kGrouped;
    arguments.problem_shape = {m, most, k, groups, checked::on_device(columns), columns.data()};
    arguments.mainloop = {checked::on_device(a), checked::on_device(at_b)};
    auto& factors = arguments.epilogue.thread;
    factors.alpha = 1, factors.beta = 0;
    factors.alpha_ptr = factors.beta_ptr = nullptr;
    factors.alpha_ptr_array = factors.beta_ptr_array = nullptr;
    factors.dAlpha = {_0{}, _0{}, 0}, factors.dBeta = {_0{}, _0{}, 0};
    arguments.epilogue.ptr_D = checked::on_device(at_d);
    arguments.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    arguments.hw_info.cluster_shape = arguments.hw_info.cluster_shape_fallback =
        dim3(size<0>(Cluster{}), size<1>(Cluster{}), 1);
    checked::Verdict verdict(name);
    checked::launch<Gemm>(arguments);
    verdict.wait();
    for (int g = 0; g < groups; ++g) {
      const auto d = checked::from_device(at_d[g], std::size_t(m) * columns[g]);
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < columns[g]; ++j) {
          double sum = 0, size = 0;
          for (int l = 0; l < k; ++l) {
            const double x = double(float(a[(std::size_t(g) * m + i) * k + l])) *
                             double(float(b[g][std::size_t(j) * k + l]));
            sum += x, size += std::fabs(x);
          }
          verdict.compare(d[std::size_t(j) * m + i], sum, checked::share * size);
        }
    }
    return verdict.said();
  }
};

int main() {
  namespace gemm = cutlass::gemm;
  namespace end = cutlass::epilogue;
  int failed = 0;
  failed |= RaggedProducts<cutlass::bfloat16_t, Shape<_128, _64, _64>, Shape<_1, _1, _1>,
                           gemm::KernelPtrArrayTmaWarpSpecialized1SmSm100,
                           end::PtrArrayTmaWarpSpecialized1Sm>::run("ragged bf16 128x64x64", 256, 192,
                                                                    {77, 1, 130});
  failed |= RaggedProducts<cutlass::float_e4m3_t, Shape<_256, _64, _128>, Shape<_2, _1, _1>,
                           gemm::KernelPtrArrayTmaWarpSpecialized2SmSm100,
                           end::PtrArrayTmaWarpSpecialized2Sm>::run("ragged e4m3 256x64x128, pair of blocks",
                                                                    320, 272, {64, 9, 40, 100});
  return failed;
}
