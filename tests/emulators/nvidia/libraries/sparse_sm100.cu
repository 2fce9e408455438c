// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's products of a sparse A for sm_100a: D = A B + C / 2. Half of A is zeros, which its own kernel
// compresses. -DGROUP says which.
#include <algorithm>

#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/transform/device/transform_universal_adapter.hpp>
#include <cutlass/transform/kernel/sparse_gemm_compressor.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "cutlass_checked.hpp"
#include "exact.hpp"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;

// Of every `Chunk` numbers of a row of A half are zeros.
template <class OfA, class OfB, class Tile, class Cluster, class MainSchedule, class EndSchedule,
          class Sum = float, int Chunk = 4>
struct SparseProduct {
  static constexpr int bits = 128;  // of an aligned access
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassSparseTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, Sum, Sum, Sum, Row, bits / sizeof_bits_v<Sum>, Sum,
      Row, bits / sizeof_bits_v<Sum>, EndSchedule>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassSparseTensorOp, OfA, Row, 2 * bits / sizeof_bits_v<OfA>,
      OfB, Column, bits / sizeof_bits_v<OfB>, Sum, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      MainSchedule>::CollectiveOp;
  using Sizes = cute::Shape<int, int, int, int>;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Sizes, Mainloop, Epilogue, void>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
  using Config = typename Mainloop::SparseConfig;
  using Compressor = cutlass::transform::device::TransformUniversalAdapter<
      cutlass::transform::kernel::StructuredSparseCompressor<Sizes, OfA, Row, Config, cutlass::arch::Sm100>>;
  using Compressed = cutlass::transform::kernel::StructuredSparseCompressorUtility<Sizes, OfA, Row, Config>;

  // M and N are no multiples of the tiles.
  static int run(const char* name, int m = 520, int n = 272, int k = 512) {
    checked::Random random;
    auto a = checked::exact_numbers<OfA>(std::size_t(m) * k, random);
    const auto b = checked::exact_numbers<OfB>(std::size_t(n) * k, random);
    const auto c = checked::random_numbers<Sum>(std::size_t(m) * n, random);
    for (OfA& one : a)
      if (one == OfA(0)) one = OfA(0);  // as the compressor knows zeros
    for (std::size_t chunk = 0; chunk < a.size(); chunk += Chunk)
      for (int zeros = std::count(&a[chunk], &a[chunk] + Chunk, OfA(0)); zeros < Chunk / 2;) {
        OfA& one = a[chunk + random.below(Chunk)];
        zeros += one != OfA(0);
        one = OfA(0);
      }
    const Sizes sizes{m, n, k, 1};
    const auto stride_a = cutlass::make_cute_packed_stride(cutlass::gemm::TagToStrideA_t<Row>{}, {m, k, 1});
    const Compressed compressed(sizes, stride_a);
    auto* const stored =
        reinterpret_cast<OfA*>(checked::unwritten<char>(compressed.get_compressed_tensor_A_bytes()));
    auto* const metadata = reinterpret_cast<typename Mainloop::ElementE*>(
        checked::unwritten<char>(compressed.get_tensor_E_bytes()));
    OfB* const device_b = checked::on_device(b);
    Sum *const device_c = checked::on_device(c), *const device_d = checked::unwritten<Sum>(c.size());
    const auto stride_b = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {n, k, 1});
    const auto stride_c = cutlass::make_cute_packed_stride(typename Kernel::StrideC{}, {m, n, 1});
    cutlass::KernelHardwareInfo hardware;
    hardware.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    checked::Verdict verdict(name);
    checked::launch<Compressor>({sizes, {checked::on_device(a), stride_a, stored, metadata}, {hardware}});
    const typename Gemm::Arguments arguments{
        cutlass::gemm::GemmUniversalMode::kGemm,
        sizes,
        {stored, Config::fill_layoutA(sizes), device_b, stride_b, metadata, Config::fill_layoutE(sizes)},
        {{Sum(1), beta}, device_c, stride_c, device_d, stride_c},
        hardware};
    checked::launch<Gemm>(arguments);
    verdict.wait();
    const auto d = checked::from_device(device_d, c.size());
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = double(beta) * c[std::size_t(i) * n + j], size = std::fabs(sum);
        for (int l = 0; l < k; ++l) {
          const double x = double(a[std::size_t(i) * k + l]) * double(b[std::size_t(j) * k + l]);
          sum += x, size += std::fabs(x);
        }
        verdict.compare(double(d[std::size_t(i) * n + j]), sum, checked::share * size);
      }
    return verdict.said();
  }

  static constexpr Sum beta = std::is_integral_v<Sum> ? Sum(2) : Sum(.5f);
};

int main() {
  namespace gemm = cutlass::gemm;
  namespace end = cutlass::epilogue;
  int failed = 0;
#if GROUP == 0
  failed |= SparseProduct<cutlass::half_t, cutlass::half_t, Shape<_128, _128, _128>, Shape<_1, _1, _1>,
                          gemm::KernelSparseTmaWarpSpecialized1SmSm100,
                          end::TmaWarpSpecialized1Sm>::run("sparse f16 128x128x128");
  failed |= SparseProduct<cutlass::float_e4m3_t, cutlass::float_e4m3_t, Shape<_256, _128, _256>,
                          Shape<_2, _1, _1>, gemm::KernelSparseTmaWarpSpecialized2SmSm100,
                          end::TmaWarpSpecialized2Sm>::run("sparse e4m3 256x128x256, pair of blocks");
#elif GROUP == 1
  failed |= SparseProduct<std::int8_t, std::int8_t, Shape<_128, _128, _256>, Shape<_1, _1, _1>,
                          gemm::KernelSparseTmaWarpSpecialized1SmSm100, end::TmaWarpSpecialized1Sm,
                          std::int32_t>::run("sparse s8 128x128x256");
  failed |= SparseProduct<cutlass::tfloat32_t, cutlass::tfloat32_t, Shape<_256, _128, _64>, Shape<_2, _1, _1>,
                          gemm::KernelSparseTmaWarpSpecialized2SmSm100, end::TmaWarpSpecialized2Sm, float,
                          2>::run("sparse tf32 256x128x64, pair of blocks");
#else
#error "GROUP is 0 or 1"
#endif
  return failed;
}
