// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's products of complex matrices for sm_100a, one and several alike: D = A B + C / 2, where A or B
// may be conjugated. Real and imaginary parts are matrices by themselves (planar), or side by side
// (interleaved). -DGROUP says which.
#include <cutlass/complex.h>
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cute/tensor.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/epilogue/collective/sm100_epilogue_array_planar_complex_tma_warpspecialized.hpp>
#include <cutlass/epilogue/collective/sm100_epilogue_planar_complex_tma_warpspecialized.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/group_array_problem_shape.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

#include <complex>

#include "cutlass_checked.hpp"
#include "exact.hpp"

using namespace cute;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Number = std::complex<double>;

// What the tensor cores multiply (`Part`), and how the kernel is made.
template <class Part_, bool is_planar, bool is_several, class Schedule_, class EpilogueSchedule>
struct How {
  using Part = Part_;
  using Schedule = Schedule_;
  using End = EpilogueSchedule;
  static constexpr bool planar = is_planar, several = is_several;
};

// A matrix of each product. `second` holds imaginary parts; without planes there is none.
template <class Part, bool planar>
struct Matrices {
  using Element = cute::conditional_t<planar, Part, cutlass::complex<float>>;

  void add(std::size_t count, checked::Random& random) {
    const auto real = checked::exact_numbers<Part>(count, random);
    const auto imaginary = checked::exact_numbers<Part>(count, random);
    auto& all = values.emplace_back();
    for (std::size_t i = 0; i < count; ++i) all.emplace_back(float(real[i]), float(imaginary[i]));
    if constexpr (planar) {
      first.push_back(checked::on_device(real));
      second.push_back(checked::on_device(imaginary));
    } else {
      std::vector<Element> both;
      for (const auto& x : all) both.emplace_back(float(x.real()), float(x.imag()));
      first.push_back(checked::on_device(both));
    }
  }

  std::vector<std::vector<Number>> values;
  std::vector<const Element*> first, second;
};

template <class How, class LayoutA, class TransformA, class LayoutB, class TransformB, class Tile,
          class Cluster>
struct ComplexProducts {
  static constexpr bool planar = How::planar, several = How::several;
  using InputMatrices = Matrices<typename How::Part, planar>;
  using OutputMatrices = Matrices<float, planar>;
  using Input = typename InputMatrices::Element;
  using Output = typename OutputMatrices::Element;
  using Sum = Output;
  static constexpr int aligned = 16 / sizeof(Input), aligned_out = 16 / sizeof(Output);
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, Sum, Sum, Output, Row, aligned_out, Output, Row,
      aligned_out, typename How::End>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, cute::tuple<Input, TransformA>, LayoutA, aligned,
      cute::tuple<Input, TransformB>, LayoutB, aligned, Sum, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      typename How::Schedule>::CollectiveOp;
  using Size = cute::Shape<int, int, int, int>;
  using Problem = cute::conditional_t<several, cutlass::gemm::ArrayProblemShape<Size>, Size>;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Problem, Mainloop, Epilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

  // What a kernel takes of all products' matrices: an array in device memory, or the only one itself.
  template <class T>
  static auto given(const std::vector<T>& of_all) {
    if constexpr (several)
      return checked::on_device(of_all);
    else
      return of_all.front();
  }

  static int run(const char* name) {
    constexpr int m = several ? 200 : 264, n = 136, k = several ? 72 : 200, products = several ? 3 : 1;
    constexpr std::size_t outputs = std::size_t(m) * n;
    checked::Random random;
    InputMatrices a, b;
    OutputMatrices c;
    std::vector<Output*> first, second;  // of D, as of C
    for (int i = 0; i < products; ++i) {
      a.add(std::size_t(m) * k, random), b.add(std::size_t(n) * k, random), c.add(outputs, random);
      first.push_back(checked::unwritten<Output>(outputs));
      if (planar) second.push_back(checked::unwritten<Output>(outputs));
    }
    const auto stride_a = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, {m, k, 1});
    const auto stride_b = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {n, k, 1});
    const auto stride_c = cutlass::make_cute_packed_stride(typename Kernel::StrideC{}, {m, n, 1});
    typename Gemm::Arguments arguments{};
    arguments.mode =
        several ? cutlass::gemm::GemmUniversalMode::kArray : cutlass::gemm::GemmUniversalMode::kGemm;
    arguments.problem_shape = Problem(Size(m, n, k, products));
    arguments.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    const decltype(arguments.epilogue.thread) factors{{1, 0}, {beta, 0}};
    if constexpr (planar) {
      arguments.mainloop = {given(a.first), stride_a, given(a.second), stride_a,
                            given(b.first), stride_b, given(b.second), stride_b};
      arguments.epilogue = {factors,      given(c.first), stride_c,      given(c.second), stride_c,
                            given(first), stride_c,       given(second), stride_c};
    } else {
      arguments.mainloop = {given(a.first), stride_a, given(b.first), stride_b};
      arguments.epilogue = {factors, given(c.first), stride_c, given(first), stride_c};
    }
    checked::Verdict verdict(name);
    checked::launch<Gemm>(arguments);
    verdict.wait();

    for (int g = 0; g < products; ++g) {
      const auto d = checked::from_device(first[g], outputs);
      const auto imaginary = checked::from_device(planar ? second[g] : first[g], outputs);
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          const std::size_t at = std::size_t(i) * n + j;
          Number sum = double(beta) * c.values[g][at];
          double size_real = std::fabs(sum.real()), size_imaginary = std::fabs(sum.imag());
          for (int l = 0; l < k; ++l) {
            const Number x = transformed<TransformA>(
                a.values[g][std::is_same_v<LayoutA, Row> ? std::size_t(i) * k + l : std::size_t(l) * m + i]);
            const Number y = transformed<TransformB>(
                b.values[g]
                        [std::is_same_v<LayoutB, Column> ? std::size_t(j) * k + l : std::size_t(l) * n + j]);
            sum += x * y;
            size_real += std::fabs(x.real() * y.real()) + std::fabs(x.imag() * y.imag());
            size_imaginary += std::fabs(x.real() * y.imag()) + std::fabs(x.imag() * y.real());
          }
          if constexpr (planar) {
            verdict.compare(d[at], sum.real(), checked::share * size_real);
            verdict.compare(imaginary[at], sum.imag(), checked::share * size_imaginary);
          } else {
            verdict.compare(d[at].real(), sum.real(), checked::share * size_real);
            verdict.compare(d[at].imag(), sum.imag(), checked::share * size_imaginary);
          }
        }
    }
    return verdict.said();
  }

  template <class Transform>
  static Number transformed(Number x) {
    return std::is_same_v<Transform, cute::conjugate> ? std::conj(x) : x;
  }

  static constexpr float beta = .5F;
};

int main() {
  using namespace cutlass::gemm;
  using namespace cutlass::epilogue;
  using cutlass::bfloat16_t, cutlass::half_t, cutlass::tfloat32_t;
  using Same = cute::identity;
  using Conjugate = cute::conjugate;
  [[maybe_unused]] constexpr bool planar = true, interleaved = false, single = false, several = true;
  using One = cute::Shape<_1, _1, _1>;
  using Pair = cute::Shape<_2, _1, _1>;
  int failed = 0;
#if GROUP == 0
  failed |= ComplexProducts<How<half_t, planar, single, KernelTmaWarpSpecialized1SmPlanarComplexSm100,
                                PlanarComplexTmaWarpSpecialized1Sm>,
                            Row, Conjugate, Column, Same, cute::Shape<_128, _64, _64>,
                            One>::run("planar f16 128x64x64, A conjugated");
  failed |=
      ComplexProducts<How<bfloat16_t, planar, single, KernelTmaWarpSpecialized2SmPlanarComplexSm100,
                          PlanarComplexTmaWarpSpecialized2Sm>,
                      Column, Same, Row, Conjugate, cute::Shape<_256, _64, _64>,
                      Pair>::run("planar bf16 256x64x64, B conjugated, contiguous rows, pair of blocks");
#elif GROUP == 1
  failed |=
      ComplexProducts<How<half_t, planar, several, KernelPtrArrayTmaWarpSpecialized1SmPlanarComplexSm100,
                          PtrArrayPlanarComplexTmaWarpSpecialized1Sm>,
                      Row, Same, Column, Conjugate, cute::Shape<_128, _64, _64>,
                      One>::run("three of planar f16 128x64x64, B conjugated");
  failed |=
      ComplexProducts<How<bfloat16_t, planar, several, KernelPtrArrayTmaWarpSpecialized2SmPlanarComplexSm100,
                          PtrArrayPlanarComplexTmaWarpSpecialized2Sm>,
                      Row, Conjugate, Column, Conjugate, cute::Shape<_256, _64, _64>,
                      Pair>::run("three of planar bf16 256x64x64, both conjugated, pair of blocks");
#elif GROUP == 2
  failed |=
      ComplexProducts<How<tfloat32_t, interleaved, single,
                          KernelTmaWarpSpecialized1SmInterleavedComplexTF32Sm100, NoSmemWarpSpecialized1Sm>,
                      Row, Conjugate, Column, Same, cute::Shape<_128, _64, _16>,
                      One>::run("interleaved tf32 128x64x16, A conjugated");
  failed |=
      ComplexProducts<How<tfloat32_t, interleaved, single,
                          KernelTmaWarpSpecialized2SmInterleavedComplexTF32Sm100, NoSmemWarpSpecialized2Sm>,
                      Column, Same, Row, Conjugate, cute::Shape<_256, _64, _16>,
                      Pair>::run("interleaved tf32 256x64x16, B conjugated, contiguous rows, pair of blocks");
#elif GROUP == 3
  failed |= ComplexProducts<
      How<tfloat32_t, interleaved, several, KernelPtrArrayTmaWarpSpecialized1SmInterleavedComplexTF32Sm100,
          PtrArrayNoSmemWarpSpecialized1Sm>,
      Row, Same, Column, Conjugate, cute::Shape<_128, _64, _16>,
      One>::run("three of interleaved tf32 128x64x16, B conjugated");
  failed |= ComplexProducts<
      How<tfloat32_t, interleaved, several, KernelPtrArrayTmaWarpSpecialized2SmInterleavedComplexTF32Sm100,
          PtrArrayNoSmemWarpSpecialized2Sm>,
      Row, Conjugate, Column, Conjugate, cute::Shape<_256, _64, _16>,
      Pair>::run("three of interleaved tf32 256x64x16, both conjugated, pair of blocks");
#elif GROUP == 4
  // f32 numbers as sums of three of bf16.
  failed |= ComplexProducts<How<float, interleaved, single, KernelTmaWarpSpecialized1SmFastFP32Sm100,
                                FastF32NoSmemWarpSpecialized1Sm>,
                            Row, Conjugate, Column, Same, cute::Shape<_128, _64, _16>,
                            One>::run("interleaved f32 by bf16 128x64x16, A conjugated");
  failed |= ComplexProducts<How<float, interleaved, single, KernelTmaWarpSpecialized2SmFastFP32SmemSm100,
                                FastF32NoSmemWarpSpecialized2Sm>,
                            Column, Same, Row, Conjugate, cute::Shape<_256, _64, _16>, Pair>::
      run("interleaved f32 by bf16 256x64x16, B conjugated, contiguous rows, pair of blocks");
#elif GROUP == 5
  failed |= ComplexProducts<How<float, interleaved, several, KernelPtrArrayTmaWarpSpecialized1SmFastFP32Sm100,
                                PtrArrayFastF32NoSmemWarpSpecialized1Sm>,
                            Row, Same, Column, Conjugate, cute::Shape<_128, _64, _16>,
                            One>::run("three of interleaved f32 by bf16 128x64x16, B conjugated");
  failed |= ComplexProducts<How<float, interleaved, several, KernelPtrArrayTmaWarpSpecialized2SmFastFP32Sm100,
                                PtrArrayFastF32NoSmemWarpSpecialized2Sm>,
                            Row, Conjugate, Column, Conjugate, cute::Shape<_256, _64, _16>, Pair>::
      run("three of interleaved f32 by bf16 256x64x16, both conjugated, pair of blocks");
#else
#error "GROUP is 0 to 5"
#endif
  return failed;
}
