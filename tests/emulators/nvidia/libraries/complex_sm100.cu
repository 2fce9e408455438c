// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's products of complex numbers for sm_100a: D = A B + (0.5 - 0.25 i) C. -DGROUP says which.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cute/tensor.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/epilogue/collective/sm100_epilogue_planar_complex_tma_warpspecialized.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "cutlass_checked.hpp"
#include "exact.hpp"

using namespace cute;
using namespace cutlass::gemm;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Complex = cutlass::complex<float>;

// Real parts, imaginary parts, and both beside each other, of which `T` holds each exactly.
template <class T>
struct Numbers {
  Numbers(std::size_t count, checked::Random& random)
      : real(checked::exact_numbers<T>(count, random)), imaginary(checked::exact_numbers<T>(count, random)) {
    for (std::size_t i = 0; i < count; ++i) pairs.emplace_back(float(real[i]), float(imaginary[i]));
  }
  std::vector<T> real, imaginary;
  std::vector<Complex> pairs;
};

// `OfA` and `OfB` are what the builder is told: an element, and identity or conjugate.
template <class Schedule, class EpilogueSchedule, class OfA, class LayoutA, class OfB, class LayoutB,
          int together, class Sum, class Tile, class Cluster>
struct ComplexProduct {
  static constexpr bool planar = !cutlass::is_complex<Sum>::value;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, Sum, Sum, Sum, Row, 16 / sizeof(Sum), Sum, Row,
      16 / sizeof(Sum), EpilogueSchedule>::CollectiveOp;
  using Mainloop = typename collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, OfA, LayoutA, together, OfB, LayoutB, together,
      Sum, Tile, Cluster,
      collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename Epilogue::SharedStorage))>,
      Schedule>::CollectiveOp;
  using Kernel = kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue, void>;
  using Gemm = device::GemmUniversalAdapter<Kernel>;

  // `T` holds the parts of A's and B's elements.
  template <class T>
  static int run(const char* name, int m, int n, int k) {
    checked::Random random;
    const Numbers<T> a(std::size_t(m) * k, random), b(std::size_t(n) * k, random);
    const Numbers<float> c(std::size_t(m) * n, random);
    const auto stride_a = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, {m, k, 1});
    const auto stride_b = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {n, k, 1});
    const auto stride_c = cutlass::make_cute_packed_stride(typename Kernel::StrideC{}, {m, n, 1});
    float* const device_d = checked::unwritten<float>(c.pairs.size() * 2);  // planar: all real parts first
    const Complex beta(.5F, -.25F);
    typename Gemm::Arguments arguments{GemmUniversalMode::kGemm, {m, n, k, 1}, {}, {}};
    arguments.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    arguments.epilogue.thread.alpha = Complex(1), arguments.epilogue.thread.beta = beta;
    if constexpr (planar) {
      arguments.mainloop = {checked::on_device(a.real), stride_a, checked::on_device(a.imaginary), stride_a,
                            checked::on_device(b.real), stride_b, checked::on_device(b.imaginary), stride_b};
      auto& to = arguments.epilogue;
      to.ptr_C_real = checked::on_device(c.real), to.ptr_C_imag = checked::on_device(c.imaginary);
      to.ptr_D_real = device_d, to.ptr_D_imag = device_d + c.real.size();
      to.dC_real = to.dC_imag = to.dD_real = to.dD_imag = stride_c;
    } else {
      arguments.mainloop = {checked::on_device(a.pairs), stride_a, checked::on_device(b.pairs), stride_b};
      auto& to = arguments.epilogue;
      to.ptr_C = checked::on_device(c.pairs), to.ptr_D = reinterpret_cast<Complex*>(device_d);
      to.dC = to.dD = stride_c;
    }
    checked::Verdict verdict(name);
    checked::launch<Gemm>(arguments);
    verdict.wait();

    const auto d = checked::from_device(device_d, c.pairs.size() * 2);
    const double sign_a = std::is_same_v<typename Mainloop::TransformA, conjugate> ? -1 : 1;
    const double sign_b = std::is_same_v<typename Mainloop::TransformB, conjugate> ? -1 : 1;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const std::size_t at = std::size_t(i) * n + j;
        double real = 0, imaginary = 0, size_real = 0, size_imaginary = 0;
        const auto add = [&](Complex x, double sign_x, Complex y, double sign_y) {
          const double xr = x.real(), xi = sign_x * x.imag(), yr = y.real(), yi = sign_y * y.imag();
          real += xr * yr - xi * yi, imaginary += xr * yi + xi * yr;
          size_real += std::fabs(xr * yr) + std::fabs(xi * yi);
          size_imaginary += std::fabs(xr * yi) + std::fabs(xi * yr);
        };
        add(beta, 1, c.pairs[at], 1);
        for (int l = 0; l < k; ++l)
          add(a.pairs[std::is_same_v<LayoutA, Row> ? std::size_t(i) * k + l : std::size_t(l) * m + i], sign_a,
              b.pairs[std::is_same_v<LayoutB, Column> ? std::size_t(j) * k + l : std::size_t(l) * n + j],
              sign_b);
        verdict.compare(d[planar ? at : 2 * at], real, checked::share * size_real);
        verdict.compare(d[planar ? at + c.real.size() : 2 * at + 1], imaginary,
                        checked::share * size_imaginary);
      }
    return verdict.said();
  }
};

int main() {
  using namespace cutlass::epilogue;
  int failed = 0;
#if GROUP == 0
  using cutlass::half_t, cutlass::bfloat16_t;
  failed |=
      ComplexProduct<KernelTmaWarpSpecialized1SmPlanarComplexSm100, PlanarComplexTmaWarpSpecialized1Sm,
                     cute::tuple<half_t, identity>, Row, cute::tuple<half_t, identity>, Column, 8, float,
                     Shape<_128, _64, _64>, Shape<_1, _1, _1>>::run<half_t>("f16 planar, 128x64x64", 264, 136,
                                                                            200);
  failed |= ComplexProduct<KernelTmaWarpSpecialized2SmPlanarComplexSm100, PlanarComplexTmaWarpSpecialized2Sm,
                           cute::tuple<bfloat16_t, conjugate>, Column, cute::tuple<bfloat16_t, identity>, Row,
                           8, float, Shape<_256, _64, _64>, Shape<_2, _1, _1>>::
      run<bfloat16_t>(
          "bf16 planar, A conjugate, "
          "256x64x64, contiguous rows, "
          "pair of blocks",
          264, 136, 200);
#elif GROUP == 1
  using cutlass::tfloat32_t;
  failed |= ComplexProduct<KernelTmaWarpSpecialized1SmInterleavedComplexTF32Sm100, NoSmemWarpSpecialized1Sm,
                           cute::tuple<Complex, identity>, Row, cute::tuple<Complex, conjugate>, Column, 2,
                           Complex, Shape<_128, _64, _16>,
                           Shape<_1, _1, _1>>::run<tfloat32_t>("tf32, B conjugate, 128x64x16", 264, 136, 100);
  failed |= ComplexProduct<KernelTmaWarpSpecialized2SmInterleavedComplexTF32Sm100, NoSmemWarpSpecialized2Sm,
                           cute::tuple<Complex, identity>, Column, cute::tuple<Complex, identity>, Row, 2,
                           Complex, Shape<_256, _64, _16>, Shape<_2, _1, _1>>::
      run<tfloat32_t>(
          "tf32, 256x64x16, contiguous "
          "rows, pair of blocks",
          264, 136, 100);
#elif GROUP == 2
  failed |=
      ComplexProduct<KernelTmaWarpSpecialized1SmFastFP32Sm100, FastF32NoSmemWarpSpecialized1Sm,
                     cute::tuple<Complex, identity>, Row, cute::tuple<Complex, identity>, Column, 2, Complex,
                     Shape<_128, _64, _16>, Shape<_1, _1, _1>>::run<float>("f32 by bf16, 128x64x16", 264, 136,
                                                                           100);
#else
#error "GROUP is 0, 1 or 2"
#endif
  return failed;
}
