// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's grouped products of matrices for sm_100a: D = A B for several shapes in one launch, or several
// times for one. Its kernels change their tensor maps as they go. -DGROUP says which.
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
using Size = cute::Shape<int, int, int>;

// `alike`: all products are of one shape, which kernels are told but once.
template <class Element, class Tile, class Cluster, class MainSchedule, class EndSchedule, bool alike = false>
struct GroupedProducts {
  template <class Layout>
  using Tag = conditional_t<alike, Layout, Layout*>;
  template <class OfKernel>
  using Stride = remove_pointer_t<OfKernel>;
  using Sizes = conditional_t<alike, cutlass::gemm::ArrayProblemShape<cute::Shape<int, int, int, int>>,
                              cutlass::gemm::GroupProblemShape<Size>>;
  static constexpr int aligned = 128 / sizeof_bits_v<Element>;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, void, Tag<Row>, 4, float, Tag<Row>, 4,
      EndSchedule>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Element, Tag<Row>, aligned, Element, Tag<Column>,
      aligned, float, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      MainSchedule>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Sizes, Mainloop, Epilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

  static int run(const char* name) {
    const std::vector<Size> sizes = alike ? std::vector<Size>(3, {200, 72, 104})
                                          : std::vector<Size>{{128, 128, 128}, {200, 72, 64}, {64, 264, 192}};
    checked::Random random;
    std::vector<std::vector<Element>> a, b;
    std::vector<const Element*> at_a, at_b;
    std::vector<float*> at_d;
    std::vector<Stride<typename Kernel::StrideA>> strides_a;
    std::vector<Stride<typename Kernel::StrideB>> strides_b;
    std::vector<Stride<typename Kernel::StrideD>> strides_d;
    for (const auto& [m, n, k] : sizes) {
      a.push_back(checked::random_numbers<Element>(std::size_t(m) * k, random));
      b.push_back(checked::random_numbers<Element>(std::size_t(n) * k, random));
      at_a.push_back(checked::on_device(a.back())), at_b.push_back(checked::on_device(b.back()));
      at_d.push_back(checked::unwritten<float>(std::size_t(m) * n));
      strides_a.push_back(cutlass::make_cute_packed_stride(Stride<typename Kernel::StrideA>{}, {m, k, 1}));
      strides_b.push_back(cutlass::make_cute_packed_stride(Stride<typename Kernel::StrideB>{}, {n, k, 1}));
      strides_d.push_back(cutlass::make_cute_packed_stride(Stride<typename Kernel::StrideD>{}, {m, n, 1}));
    }
    typename Gemm::Arguments arguments{};
    arguments.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    if constexpr (alike) {
      arguments.mode = cutlass::gemm::GemmUniversalMode::kArray;
      arguments.problem_shape = Sizes(append<4>(sizes.front(), int(sizes.size())));
    } else {
      arguments.mode = cutlass::gemm::GemmUniversalMode::kGrouped;
      arguments.problem_shape = {int(sizes.size()), checked::on_device(sizes), sizes.data()};
    }
    arguments.mainloop = {checked::on_device(at_a), given(strides_a), checked::on_device(at_b),
                          given(strides_b)};
    arguments.epilogue = {{}, nullptr, {}, checked::on_device(at_d), given(strides_d)};
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

 private:
  template <class T>
  static auto given(const std::vector<T>& strides) {
    if constexpr (alike)
      return strides.front();
    else
      return checked::on_device(strides);
  }
};

int main() {
  namespace gemm = cutlass::gemm;
  namespace end = cutlass::epilogue;
  int failed = 0;
#if GROUP == 0
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
#elif GROUP == 1
  // f32 numbers as sums of three of bf16.
  failed |= GroupedProducts<
      float, Shape<_128, _64, _16>, Shape<_1, _1, _1>, gemm::KernelPtrArrayTmaWarpSpecialized1SmFastFP32Sm100,
      end::PtrArrayFastF32NoSmemWarpSpecialized1Sm, true>::run("three of f32 by bf16 128x64x16");
  failed |= GroupedProducts<float, Shape<_256, _64, _16>, Shape<_2, _1, _1>,
                            gemm::KernelPtrArrayTmaWarpSpecialized2SmFastFP32Sm100,
                            end::PtrArrayFastF32NoSmemWarpSpecialized2Sm,
                            true>::run("three of f32 by bf16 256x64x16, pair of blocks");
#else
#error "GROUP is 0 or 1"
#endif
  return failed;
}
