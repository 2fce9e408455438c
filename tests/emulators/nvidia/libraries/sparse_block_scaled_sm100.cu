// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's products of block-scaled matrices with a sparse A for sm_100a: D = A B, with a scale factor for
// 32 or 64 numbers of a row of A or a column of B. Half of A is zeros, which its own kernel compresses.
// -DGROUP says which.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/detail/sm100_blockscaled_layout.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/transform/device/transform_universal_adapter.hpp>
#include <cutlass/transform/kernel/sparse_gemm_compressor.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "cutlass_checked.hpp"
#include "packed.hpp"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;

// Of four units of A next to each other two are zeros; a unit is `Together` numbers.
template <class PairA, class PairB, class Tile, class Cluster, class MainSchedule, class EndSchedule,
          int Together>
struct SparseScaledProduct {
  using OfA = typename PairA::DataType;
  using OfB = typename PairB::DataType;
  using Factor = typename PairA::ScaleFactorType;
  static constexpr bool padded = Together == 1 && (sizeof_bits_v<OfA> < 8 || sizeof_bits_v<OfB> < 8);
  template <class T>
  static constexpr int aligned = padded && sizeof_bits_v<T> < 8 ? 128 : 128 / sizeof_bits_v<T>;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassBlockScaledSparseTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, Row, 4, float, Row, 4,
      EndSchedule>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassBlockScaledSparseTensorOp, PairA, Row, 2 * aligned<OfA>,
      PairB, Column, aligned<OfB>, float, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      MainSchedule>::CollectiveOp;
  using Sizes = cute::Shape<int, int, int, int>;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Sizes, Mainloop, Epilogue, void>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
  using Scales = typename Mainloop::Sm1xxBlkScaledConfig;
  using Config = typename Mainloop::SparseConfig;
  using Compressor = cutlass::transform::device::TransformUniversalAdapter<
      cutlass::transform::kernel::StructuredSparseCompressor<Sizes, OfA, Row, Config, cutlass::arch::Sm100>>;
  using Compressed = cutlass::transform::kernel::StructuredSparseCompressorUtility<Sizes, OfA, Row, Config>;

  static int run(const char* name, int m = 256, int n = 256, int k = 512) {
    checked::Random random;
    checked::Packed<OfA> a(std::size_t(m) * k, random);
    const checked::Packed<OfB> b(std::size_t(n) * k, random);
    for (std::size_t unit = 0; unit < a.values.size(); unit += 4 * Together) {
      const std::uint32_t first = random.below(4), second = (first + 1 + random.below(3)) % 4;
      for (const std::uint32_t zero : {first, second})
        for (int i = 0; i < Together; ++i) {
          const std::size_t at = unit + zero * Together + i;
          cute::subbyte_iterator<OfA>(reinterpret_cast<OfA*>(a.bytes.data()))[at] = OfA(0.f);
          a.values[at] = 0;
        }
    }
    const Sizes sizes{m, n, k, 1};
    const auto stride_a = cutlass::make_cute_packed_stride(cutlass::gemm::TagToStrideA_t<Row>{}, {m, k, 1});
    const Compressed compressed(sizes, stride_a);
    auto* const stored =
        reinterpret_cast<OfA*>(checked::unwritten<char>(compressed.get_compressed_tensor_A_bytes()));
    auto* const metadata = reinterpret_cast<typename Mainloop::ElementE*>(
        checked::unwritten<char>(compressed.get_tensor_E_bytes()));
    const auto layout_a = Scales::tile_atom_to_shape_SFA(make_shape(m, n, k, 1));
    const auto layout_b = Scales::tile_atom_to_shape_SFB(make_shape(m, n, k, 1));
    const auto factors = [&](const auto& layout) {
      std::vector<Factor> all(size(filter_zeros(layout)));
      for (auto& factor : all) factor = Factor(std::ldexp(1.f, int(random.below(9)) - 4));
      return all;
    };
    const auto factors_a = factors(layout_a), factors_b = factors(layout_b);
    float* const device_d = checked::unwritten<float>(std::size_t(m) * n);
    const auto stride_b = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {n, k, 1});
    const auto stride_d = cutlass::make_cute_packed_stride(typename Kernel::StrideD{}, {m, n, 1});
    cutlass::KernelHardwareInfo hardware;
    hardware.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    checked::Verdict verdict(name);
    checked::launch<Compressor>(
        {sizes,
         {reinterpret_cast<OfA*>(checked::on_device(a.bytes)), stride_a, stored, metadata},
         {hardware}});
    const typename Gemm::Arguments arguments{
        cutlass::gemm::GemmUniversalMode::kGemm,
        sizes,
        {stored, Config::fill_layoutA(sizes), reinterpret_cast<OfB*>(checked::on_device(b.bytes)), stride_b,
         metadata, Config::fill_layoutE(sizes), checked::on_device(factors_a), layout_a,
         checked::on_device(factors_b), layout_b},
        {{1.f, 0.f}, device_d, stride_d, device_d, stride_d},
        hardware};
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
  namespace gemm = cutlass::gemm;
  namespace end = cutlass::epilogue;
  using cutlass::float_e4m3_t, cutlass::float_e2m1_t;
  using cutlass::mx_float8_t, cutlass::mx_float4_t, cutlass::nv_float4_t;
  int failed = 0;
#if GROUP == 0
  failed |= SparseScaledProduct<mx_float8_t<float_e4m3_t>, mx_float8_t<float_e4m3_t>, Shape<_128, _128, _256>,
                                Shape<_1, _1, _1>, gemm::KernelSparseTmaWarpSpecialized1SmMxf8f6f4Sm100,
                                end::TmaWarpSpecialized1SmMxf8f6f4, 1>::run("sparse mxfp8 128x128x256");
  failed |=
      SparseScaledProduct<nv_float4_t<float_e2m1_t>, nv_float4_t<float_e2m1_t>, Shape<_256, _128, _256>,
                          Shape<_2, _1, _1>, gemm::KernelSparseTmaWarpSpecialized2SmNvf4Sm100,
                          end::TmaWarpSpecialized2SmNvf4, 2>::run("sparse nvfp4 256x128x256, pair of blocks");
#elif GROUP == 1
  failed |= SparseScaledProduct<mx_float4_t<float_e2m1_t>, mx_float4_t<float_e2m1_t>, Shape<_128, _128, _256>,
                                Shape<_1, _1, _1>, gemm::KernelSparseTmaWarpSpecialized1SmMxf4Sm100,
                                end::TmaWarpSpecialized1SmMxf4, 2>::run("sparse mxfp4 128x128x256");
  failed |= SparseScaledProduct<mx_float4_t<float_e2m1_t>, mx_float8_t<float_e4m3_t>, Shape<_256, _128, _256>,
                                Shape<_2, _1, _1>, gemm::KernelSparseTmaWarpSpecialized2SmMxf8f6f4Sm100,
                                end::TmaWarpSpecialized2SmMxf8f6f4,
                                1>::run("sparse mxfp4 by mxfp8 256x128x256, pair of blocks");
#else
#error "GROUP is 0 or 1"
#endif
  return failed;
}
