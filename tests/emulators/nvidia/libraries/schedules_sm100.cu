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

// `kept_free`: bytes of shared memory that the builder does not count.
template <class Architecture, class Schedule, class EpilogueSchedule, class Scheduler = void,
          int kept_free = 0>
struct How {
  using architecture = Architecture;
  using schedule = Schedule;
  using epilogue = EpilogueSchedule;
  using scheduler = Scheduler;
  static constexpr int kept = kept_free;
};

// What A, B, C and D are; elements of A and B in an access.
template <class OfA, class LayoutA, int together_a, class OfB, class LayoutB, int together_b,
          class LayoutC = Row>
struct Operands {};

// Whether a main loop is told how its operands lie; else they are contiguous.
template <class Inputs, class = void>
constexpr bool takes_strides = false;
template <class Inputs>
constexpr bool takes_strides<Inputs, std::void_t<decltype(Inputs::dA)>> = true;

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
      collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename Epilogue::SharedStorage)) +
                                         How::kept>,
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
    Inputs inputs{};
    inputs.ptr_A = reinterpret_cast<decltype(Inputs::ptr_A)>(checked::on_device(a.bytes));
    inputs.ptr_B = reinterpret_cast<decltype(Inputs::ptr_B)>(checked::on_device(b.bytes));
    if constexpr (takes_strides<Inputs>) {
      inputs.dA = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, {m, k, 1});
      inputs.dB = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {n, k, 1});
    }
    float *const device_c = checked::on_device(c), *const device_d = checked::unwritten<float>(c.size());
    const auto stride_c = cutlass::make_cute_packed_stride(typename Kernel::StrideC{}, {m, n, 1});
    typename Gemm::Arguments arguments{GemmUniversalMode::kGemm,
                                       {m, n, k, 1},
                                       inputs,
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
#elif GROUP == 1
  constexpr int scales = 16384;  // for which the kernel has room, also where there are none
  // A narrower than B: it is widened on its way to the tensor cores.
  failed |= ScheduledProduct<
      How<Sm100, KernelTmaWarpSpecialized1SmMixedInputSm100, TmaWarpSpecialized1Sm, void, scales>,
      Operands<std::int8_t, Row, 16, cutlass::bfloat16_t, Column, 8>, Shape<_128, _128, _128>,
      Shape<_1, _1, _1>>::run("s8 by bf16, 128x128x128, A in tensor memory", 264, 136, 208);
  failed |= ScheduledProduct<
      How<Sm100, KernelTmaWarpSpecialized2SmMixedInputSm100, TmaWarpSpecialized2Sm, void, scales>,
      Operands<cutlass::float_e4m3_t, Row, 16, cutlass::half_t, Row, 8>, Shape<_256, _64, _64>,
      Shape<_2, _1, _1>>::run("e4m3 by f16, 256x64x64, pair of blocks", 272, 136, 208);
#elif GROUP == 2
  // Operands by cp.async, of rows that are aligned to 4 and 8 bytes.
  failed |=
      ScheduledProduct<How<Sm100, KernelWarpSpecialized1SmSm100, NoSmemWarpSpecialized1Sm>,
                       Operands<cutlass::half_t, Row, 2, cutlass::half_t, Column, 2>, Shape<_128, _128, _64>,
                       Shape<_1, _1, _1>>::run("f16 by cp.async, 128x128x64", 266, 136, 202);
  failed |=
      ScheduledProduct<How<Sm100, KernelWarpSpecialized1SmSm100, NoSmemWarpSpecialized1Sm>,
                       Operands<cutlass::float_e4m3_t, Row, 8, cutlass::float_e5m2_t, Column, 4>,
                       Shape<_64, _128, _128>, Shape<_1, _1, _1>>::run("e4m3 by e5m2 by cp.async, 64x128x128",
                                                                       266, 136, 200);
#elif GROUP == 3
  // Several blocks for a tile's sum; five tiles for four processors, and k so long
  // that it is worth a second block.
  using Scheduled = How<Sm100, KernelTmaWarpSpecialized1SmSm100, TmaWarpSpecialized1Sm, StreamKScheduler>;
  using Numbers = Operands<cutlass::bfloat16_t, Row, 8, cutlass::bfloat16_t, Column, 8>;
  failed |= ScheduledProduct<Scheduled, Numbers, Shape<_128, _128, _64>, Shape<_1, _1, _1>>::run(
      "bf16 128x128x64, stream-K", 600, 120, 1544, [](auto& arguments) {
        arguments.hw_info.sm_count = 4;
        using Mode = std::decay_t<decltype(arguments.scheduler.decomposition_mode)>;
        arguments.scheduler.decomposition_mode = Mode::StreamK;
      });
  using Pairs = How<Sm100, KernelTmaWarpSpecialized2SmSm100, TmaWarpSpecialized2Sm, StreamKScheduler>;
  failed |= ScheduledProduct<Pairs, Numbers, Shape<_256, _128, _64>, Shape<_2, _1, _1>>::run(
      "bf16 256x128x64, split-K, pair of blocks", 264, 136, 584,
      [](auto& arguments) { arguments.scheduler.splits = 3; });
#elif GROUP == 4
  // A by TMA, B by cp.async.
  failed |= ScheduledProduct<How<Sm100, KernelMixedTmaCpAsyncWarpSpecialized1SmSm100, TmaWarpSpecialized1Sm>,
                             Operands<cutlass::bfloat16_t, Row, 8, cutlass::bfloat16_t, Column, 8>,
                             Shape<_128, _64, _64>, Shape<_1, _1, _1>>::run("bf16 128x64x64, B by cp.async",
                                                                            264, 136, 200);
#else
#error "GROUP is 0, 1, 2, 3 or 4"
#endif
  return failed;
}
