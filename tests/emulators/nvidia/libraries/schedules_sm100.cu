// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's main loops for sm_100a that its builders take only where they are asked for: D = A B + C / 2.
// -DGROUP says which.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cute/tensor.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "cutlass_checked.hpp"
#include "packed.hpp"

using namespace cute;
using namespace cutlass::gemm;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using cutlass::arch::Sm100;

template <class Architecture, class Schedule, class EpilogueSchedule, class Scheduler = void>
struct How {
  using architecture = Architecture;
  using schedule = Schedule;
  using epilogue = EpilogueSchedule;
  using scheduler = Scheduler;
};

// What A, B, C and D are; elements of A and B in an access.
template <class OfA, class LayoutA, int together_a, class OfB, class LayoutB, int together_b,
          class LayoutC = Row>
struct Operands {};

template <class, class, class, class>
struct ScheduledProduct;

template <class How, class OfA, class LayoutA, int together_a, class OfB, class LayoutB, int together_b,
          class LayoutC, class Tile, class Cluster>
struct ScheduledProduct<How, Operands<OfA, LayoutA, together_a, OfB, LayoutB, together_b, LayoutC>, Tile,
                        Cluster> {
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      typename How::architecture, cutlass::arch::OpClassTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, LayoutC, 4, float, LayoutC, 4,
      typename How::epilogue>::CollectiveOp;
  using Mainloop = typename collective::CollectiveBuilder<
      typename How::architecture, cutlass::arch::OpClassTensorOp, OfA, LayoutA, together_a, OfB, LayoutB,
      together_b, float, Tile, Cluster,
      collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename Epilogue::SharedStorage))>,
      typename How::schedule>::CollectiveOp;
  using Kernel =
      kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue, typename How::scheduler>;
  using Gemm = device::GemmUniversalAdapter<Kernel>;

  template <class Change>
  static int run(const char* name, int m, int n, int k, Change change) {
    checked::Random random;
    const checked::Packed<OfA> a(std::size_t(m) * k, random);
    const checked::Packed<OfB> b(std::size_t(n) * k, random);
    const auto c = checked::random_numbers<float>(std::size_t(m) * n, random);
    using Inputs = typename Mainloop::Arguments;
    const auto device_a = reinterpret_cast<decltype(Inputs::ptr_A)>(checked::on_device(a.bytes));
    const auto device_b = reinterpret_cast<decltype(Inputs::ptr_B)>(checked::on_device(b.bytes));
    float *const device_c = checked::on_device(c), *const device_d = checked::unwritten<float>(c.size());
    const auto stride_a = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, {m, k, 1});
    const auto stride_b = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {n, k, 1});
    const auto stride_c = cutlass::make_cute_packed_stride(typename Kernel::StrideC{}, {m, n, 1});
    typename Gemm::Arguments arguments{GemmUniversalMode::kGemm,
                                       {m, n, k, 1},
                                       {device_a, stride_a, device_b, stride_b},
                                       {{1.F, beta}, device_c, stride_c, device_d, stride_c}};
    arguments.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    change(arguments);
    checked::Verdict verdict(name);
    checked::launch<Gemm>(arguments);
    verdict.wait();

    const auto d = checked::from_device(device_d, c.size());
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const std::size_t at = std::is_same_v<LayoutC, Row> ? std::size_t(i) * n + j : std::size_t(j) * m + i;
        double sum = double(beta) * c[at], size = std::fabs(sum);
        for (int l = 0; l < k; ++l) {
          const double x =
              a.values[std::is_same_v<LayoutA, Row> ? std::size_t(i) * k + l : std::size_t(l) * m + i];
          const double y =
              b.values[std::is_same_v<LayoutB, Column> ? std::size_t(j) * k + l : std::size_t(l) * n + j];
          sum += x * y, size += std::fabs(x * y);
        }
        verdict.compare(d[at], sum, checked::share * size);
      }
    return verdict.said();
  }
  static int run(const char* name, int m, int n, int k) {
    return run(name, m, n, k, [](auto&) {});
  }

  static constexpr float beta = .5F;
};

int main() {
  using namespace cutlass::epilogue;
  int failed = 0;
#if GROUP == 0
  // f32 numbers as sums of three of bf16.
  failed |=
      ScheduledProduct<How<Sm100, KernelTmaWarpSpecialized1SmFastFP32Sm100, FastF32NoSmemWarpSpecialized1Sm>,
                       Operands<float, Row, 4, float, Column, 4>, Shape<_128, _64, _16>,
                       Shape<_1, _1, _1>>::run("f32 by bf16, 128x64x16, A in tensor memory", 264, 136, 200);
  failed |= ScheduledProduct<
      How<Sm100, KernelTmaWarpSpecialized2SmFastFP32SmemSm100, FastF32NoSmemWarpSpecialized2Sm>,
      Operands<float, Column, 4, float, Row, 4>, Shape<_256, _64, _16>,
      Shape<_2, _1, _1>>::run("f32 by bf16, 256x64x16, contiguous rows, pair of blocks", 264, 136, 200);
#else
#error "GROUP is 0"
#endif
  return failed;
}
