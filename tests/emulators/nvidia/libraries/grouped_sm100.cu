// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's grouped products of matrices for sm_100a: D = A B for several shapes in one launch. Its kernels
// change their tensor maps as they go.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/group_array_problem_shape.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "cutlass_checked.hpp"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Sizes = cutlass::gemm::GroupProblemShape<cute::Shape<int, int, int>>;

template <class Element, class Tile, class Cluster, class MainSchedule, class EndSchedule>
struct GroupedProducts {
  static constexpr int aligned = 128 / sizeof_bits_v<Element>;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, void, Row*, 4, float, Row*, 4,
      EndSchedule>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Element, Row*, aligned, Element, Column*, aligned,
      float, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      MainSchedule>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Sizes, Mainloop, Epilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

  static int run(const char* name) {
    const std::vector<typename Sizes::UnderlyingProblemShape> sizes{
        {128, 128, 128}, {200, 72, 64}, {64, 264, 192}};
    checked::Random random;
    std::vector<std::vector<Element>> a, b;
    std::vector<const Element*> at_a, at_b;
    std::vector<float*> at_d;
    std::vector<typename Kernel::InternalStrideA> strides_a;
    std::vector<typename Kernel::InternalStrideB> strides_b;
    std::vector<typename Kernel::InternalStrideD> strides_d;
    for (const auto& [m, n, k] : sizes) {
      a.push_back(checked::random_numbers<Element>(std::size_t(m) * k, random));
      b.push_back(checked::random_numbers<Element>(std::size_t(n) * k, random));
      at_a.push_back(checked::on_device(a.back())), at_b.push_back(checked::on_device(b.back()));
      at_d.push_back(checked::unwritten<float>(std::size_t(m) * n));
      strides_a.push_back(cutlass::make_cute_packed_stride(typename Kernel::InternalStrideA{}, {m, k, 1}));
      strides_b.push_back(cutlass::make_cute_packed_stride(typename Kernel::InternalStrideB{}, {n, k, 1}));
      strides_d.push_back(cutlass::make_cute_packed_stride(typename Kernel::InternalStrideD{}, {m, n, 1}));
    }
    cutlass::KernelHardwareInfo hardware;
    hardware.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    hardware.cluster_shape = hardware.cluster_shape_fallback =
        dim3(size<0>(Cluster{}), size<1>(Cluster{}), 1);
    typename Gemm::Arguments arguments;
    decltype(arguments.epilogue.thread) factors;
    factors.alpha = 1, factors.beta = 0;
    factors.alpha_ptr = factors.beta_ptr = nullptr;
    factors.alpha_ptr_array = factors.beta_ptr_array = nullptr;
    factors.dAlpha = {_0{}, _0{}, 0}, factors.dBeta = {_0{}, _0{}, 0};
    arguments = {cutlass::gemm::GemmUniversalMode::kGrouped,
                 {int(sizes.size()), checked::on_device(sizes), sizes.data()},
                 {checked::on_device(at_a), checked::on_device(strides_a), checked::on_device(at_b),
                  checked::on_device(strides_b)},
                 {factors, nullptr, nullptr, checked::on_device(at_d), checked::on_device(strides_d)},
                 hardware};
    checked::Verdict verdict(name);
    checked::launch<Gemm>(arguments);
    verdict.wait();
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      const auto [m, n, k] = sizes[g];
      const auto d = checked::from_device(at_d[g], std::size_t(m) * n);
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          double sum = 0, size = 0;
          for (int l = 0; l < k; ++l) {
            const double x =
                double(float(a[g][std::size_t(i) * k + l])) * double(float(b[g][std::size_t(j) * k + l]));
            sum += x, size += std::fabs(x);
          }
          verdict.compare(d[std::size_t(i) * n + j], sum, checked::share * size);
        }
    }
    return verdict.said();
  }
};

int main() {
  namespace gemm = cutlass::gemm;
  namespace end = cutlass::epilogue;
  int failed = 0;
  failed |= GroupedProducts<cutlass::half_t, Shape<_128, _128, _64>, Shape<_1, _1, _1>,
                            gemm::KernelPtrArrayTmaWarpSpecialized1SmSm100,
                            end::PtrArrayTmaWarpSpecialized1Sm>::run("grouped f16 128x128x64");
  failed |= GroupedProducts<cutlass::float_e4m3_t, Shape<_128, _128, _128>, Shape<_1, _1, _1>,
                            gemm::KernelPtrArrayTmaWarpSpecialized1SmSm100,
                            end::PtrArrayTmaWarpSpecialized1Sm>::run("grouped e4m3 128x128x128");
  failed |=
      GroupedProducts<cutlass::bfloat16_t, Shape<_256, _128, _64>, Shape<_2, _1, _1>,
                      gemm::KernelPtrArrayTmaWarpSpecialized2SmSm100,
                      end::PtrArrayTmaWarpSpecialized2Sm>::run("grouped bf16 256x128x64, pair of blocks");
  return failed;
}
