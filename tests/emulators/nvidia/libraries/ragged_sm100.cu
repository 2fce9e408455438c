// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's ragged groups of products for sm_100a: matrices A of one size, one behind the other, by matrices
// B of as many columns each as the group has, plain ones and block-scaled ones. -DGROUP says which.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/detail/sm100_blockscaled_layout.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/group_array_problem_shape.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

#include <algorithm>

#include "block_factors.hpp"
#include "cutlass_checked.hpp"
#include "packed.hpp"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;

// What an operand is made of: of one type, or, where it is cutlass::mx_float8_t<...> or the like, of numbers
// and scale factors.
template <class Operand, class = void>
struct Parts {
  using Number = Operand;
  using Factor = void;
};
template <class Operand>
struct Parts<Operand, std::void_t<typename Operand::ScaleFactorType>> {
  using Number = typename Operand::DataType;
  using Factor = typename Operand::ScaleFactorType;
};

template <class Operand, class Tile, class Cluster, class MainSchedule, class EndSchedule>
struct RaggedProducts {
  using Number = typename Parts<Operand>::Number;
  using Factor = typename Parts<Operand>::Factor;
  static constexpr bool scaled = not std::is_void_v<Factor>;
  static constexpr int aligned = 128 / sizeof_bits_v<Number>;
  using Class =
      conditional_t<scaled, cutlass::arch::OpClassBlockScaledTensorOp, cutlass::arch::OpClassTensorOp>;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, Class, Tile, Cluster, cutlass::epilogue::collective::EpilogueTileAuto, float,
      float, void, Column*, 4, float, Column*, 4, EndSchedule>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, Class, Operand, Row, aligned, Operand, Column*, aligned, float, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      MainSchedule>::CollectiveOp;
  using Kernel =
      cutlass::gemm::kernel::GemmUniversal<cutlass::gemm::MoEProblemShape<cute::Shape<int, int, int>>,
                                           Mainloop, Epilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
  using Inputs = typename Mainloop::Arguments;

  static int run(const char* name, std::vector<int> columns, int m, int k) {
    const int groups = int(columns.size()), most = *std::max_element(columns.begin(), columns.end());
    checked::Random random;
    const checked::Packed<Number> a(std::size_t(groups) * m * k, random);
    std::vector<checked::Packed<Number>> b;
    std::vector<const std::uint8_t*> at_b;
    std::vector<float*> at_d;
    std::vector<typename Kernel::InternalStrideD> strides_d;
    for (const int n : columns) {
      b.emplace_back(std::size_t(n) * k, random);
      at_b.push_back(checked::on_device(b.back().bytes));
      at_d.push_back(checked::unwritten<float>(std::size_t(m) * n));
      strides_d.push_back(cutlass::make_cute_packed_stride(typename Kernel::InternalStrideD{}, {m, n, 1}));
    }
    typename Gemm::Arguments arguments{
        cutlass::gemm::GemmUniversalMode::kGrouped,
        {m, most, k, groups, checked::on_device(columns), columns.data()},
        {},
        {{}, nullptr, nullptr, checked::on_device(at_d), checked::on_device(strides_d)}};
    Inputs& inputs = arguments.mainloop;
    inputs.ptr_A = reinterpret_cast<decltype(Inputs::ptr_A)>(checked::on_device(a.bytes));
    inputs.ptr_B = reinterpret_cast<decltype(Inputs::ptr_B)>(checked::on_device(at_b));
    arguments.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    const auto factors = make_factors(inputs, columns, m, k, random);
    checked::Verdict verdict(name);
    checked::launch<Gemm>(arguments);
    verdict.wait();

    for (int g = 0; g < groups; ++g) {
      const auto d = checked::from_device(at_d[g], std::size_t(m) * columns[g]);
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < columns[g]; ++j) {
          double sum = 0, size = 0;
          for (int l = 0; l < k; ++l) {
            const double x = a.values[(std::size_t(g) * m + i) * k + l] *
                             b[g].values[std::size_t(j) * k + l] * factors(g, i, j, l);
            sum += x, size += std::fabs(x);
          }
          verdict.compare(d[std::size_t(j) * m + i], sum, checked::share * size);
        }
    }
    return verdict.said();
  }

 private:
  // Gives the kernel scale factors, where there are any. What it returns says by what the product of row i of
  // A and column j of B is multiplied at k = l.
  static auto make_factors(Inputs& inputs, const std::vector<int>& columns, int m, int k,
                           checked::Random& random) {
    if constexpr (scaled) {
      using Config = typename Mainloop::Sm1xxBlkScaledConfig;
      const int groups = int(columns.size());
      const auto layout_a = Config::tile_atom_to_shape_SFA(make_shape(m, 1, k, groups));
      const auto of_a = checked::block_factors<Factor>(layout_a, random);
      std::vector<std::vector<Factor>> of_b;
      std::vector<const Factor*> at_b;
      for (const int n : columns) {
        of_b.push_back(checked::block_factors<Factor>(layout_of_b(n, k), random));
        at_b.push_back(checked::on_device(of_b.back()));
      }
      inputs.ptr_SFA = checked::on_device(of_a);
      inputs.ptr_SFB = checked::on_device(at_b);
      return [=](int g, int i, int j, int l) {
        return double(float(of_a[layout_a(make_coord(i, l, g))])) *
               double(float(of_b[g][layout_of_b(columns[g], k)(make_coord(j, l, 0))]));
      };
    } else {
      return [](int, int, int, int) { return 1.; };
    }
  }
  static auto layout_of_b(int n, int k) {
    return Mainloop::Sm1xxBlkScaledConfig::tile_atom_to_shape_SFB(make_shape(1, n, k, 1));
  }
};

int main() {
  namespace gemm = cutlass::gemm;
  namespace end = cutlass::epilogue;
  int failed = 0;
#if GROUP == 0
  failed |= RaggedProducts<cutlass::half_t, Shape<_128, _128, _64>, Shape<_1, _1, _1>,
                           gemm::KernelPtrArrayTmaWarpSpecialized1SmSm100,
                           end::PtrArrayTmaWarpSpecialized1Sm>::run("ragged f16 128x128x64", {136, 4, 72},
                                                                    200, 136);
  failed |= RaggedProducts<cutlass::float_e4m3_t, Shape<_256, _128, _128>, Shape<_2, _1, _1>,
                           gemm::KernelPtrArrayTmaWarpSpecialized2SmSm100,
                           end::PtrArrayTmaWarpSpecialized2Sm>::run("ragged e4m3 256x128x128, pair of blocks",
                                                                    {136, 4, 72}, 264, 272);
#elif GROUP == 1
  using cutlass::float_e4m3_t, cutlass::float_e2m1_t;
  failed |= RaggedProducts<cutlass::mx_float8_t<float_e4m3_t>, Shape<_128, _128, _128>, Shape<_1, _1, _1>,
                           gemm::KernelPtrArrayTmaWarpSpecialized1SmMxf8f6f4Sm100,
                           end::PtrArrayTmaWarpSpecialized1Sm>::run("ragged mxfp8 128x128x128", {136, 4, 72},
                                                                    200, 288);
  failed |=
      RaggedProducts<cutlass::nv_float4_t<float_e2m1_t>, Shape<_256, _128, _256>, Shape<_2, _1, _1>,
                     gemm::KernelPtrArrayTmaWarpSpecialized2SmNvf4Sm100,
                     end::PtrArrayTmaWarpSpecialized2Sm>::run("ragged nvfp4 256x128x256, pair of blocks",
                                                              {136, 4, 72}, 264, 544);
#else
#error "GROUP is 0 or 1"
#endif
  return failed;
}
