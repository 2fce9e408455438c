// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUTLASS's convolutions for sm_100a as products of matrices, with TMA's mode im2col: forward, by data, by
// filter, each plus half of C. -DGROUP says which.
#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cute/tensor.hpp>
#include <cutlass/conv/collective/collective_builder.hpp>
#include <cutlass/conv/convnd_problem_shape.hpp>
#include <cutlass/conv/device/conv_universal_adapter.hpp>
#include <cutlass/conv/kernel/conv_universal.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "cutlass_checked.hpp"

using namespace cute;
using Operator = cutlass::conv::Operator;

// Along depth, height and width. Two dimensions are three of which the first has an extent of one.
struct Extents {
  int d = 1, h = 1, w = 1;
  int volume() const { return d * h * w; }
  template <std::size_t Dimensions>
  cute::array<int, Dimensions> last() const {
    const int all[] = {d, h, w};
    cute::array<int, Dimensions> values{};
    for (std::size_t i = 0; i < Dimensions; ++i) values[i] = all[3 - Dimensions + i];
    return values;
  }
};

struct Shape3 {
  int images, channels, filters;
  Extents input, filter, lower, upper, step, dilation;
  int groups = 1;  // of channels and of filters, each of which meet their own alone

  Extents output() const {
    const auto extent = [](int x, int taps, int padding, int dilation, int step) {
      return 1 + (x + padding - ((taps - 1) * dilation + 1)) / step;
    };
    return {extent(input.d, filter.d, lower.d + upper.d, dilation.d, step.d),
            extent(input.h, filter.h, lower.h + upper.h, dilation.h, step.h),
            extent(input.w, filter.w, lower.w + upper.w, dilation.w, step.w)};
  }

  // Of every product of a number of the input and one of the filter: where these are, and where it belongs.
  template <class Function>
  void each_product(Function function) const {
    const Extents out = output();
    for (int n = 0; n < images; ++n)
      for (int o = 0; o < out.volume(); ++o)
        for (int t = 0; t < filter.volume(); ++t) {
          const int x = o % out.w * step.w - lower.w + t % filter.w * dilation.w;
          const int y = o / out.w % out.h * step.h - lower.h + t / filter.w % filter.h * dilation.h;
          const int z = o / out.w / out.h * step.d - lower.d + t / filter.w / filter.h * dilation.d;
          if (x < 0 || x >= input.w || y < 0 || y >= input.h || z < 0 || z >= input.d) continue;
          const std::size_t in = ((std::size_t(n) * input.d + z) * input.h + y) * input.w + x;
          const int together = channels / groups;
          for (int k = 0; k < filters; ++k)
            for (int c = 0; c < together; ++c)
              function(in * channels + k / (filters / groups) * together + c,
                       (std::size_t(k) * filter.volume() + t) * together + c,
                       (std::size_t(n) * out.volume() + o) * filters + k);
        }
  }
};

template <Operator operation, class T, class LayoutA, class LayoutB, class LayoutC, class Tile, class Cluster,
          class Sum = cutlass::epilogue::fusion::LinearCombination<float, float>,
          class EpilogueTile = cutlass::epilogue::collective::EpilogueTileAuto,
          class EpilogueSchedule = cutlass::epilogue::collective::EpilogueScheduleAuto>
struct Convolution {
  static constexpr int bits = 128;  // of an aligned access
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, decltype(take<0, 3>(Tile{})), Cluster,
      EpilogueTile, float, float, float, LayoutC, bits / 32, float, LayoutC, bits / 32, EpilogueSchedule,
      Sum>::CollectiveOp;
  using Mainloop = typename cutlass::conv::collective::CollectiveBuilder<
      cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, operation, T, LayoutA, bits / sizeof_bits_v<T>, T,
      LayoutB, bits / sizeof_bits_v<T>, float, Tile, Cluster,
      cutlass::conv::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      cutlass::conv::collective::KernelScheduleAuto>::CollectiveOp;
  static constexpr int dimensions = Mainloop::DispatchPolicy::NumSpatialDimensions;
  using Problem = cutlass::conv::ConvProblemShape<operation, dimensions>;
  using Kernel = cutlass::conv::kernel::ConvUniversal<Problem, Mainloop, Epilogue>;
  using Conv = cutlass::conv::device::ConvUniversalAdapter<Kernel>;

  static int run(const char* name, const Shape3& shape) {
    constexpr bool forward = operation == Operator::kFprop, by_data = operation == Operator::kDgrad;
    const std::size_t inputs = std::size_t(shape.images) * shape.input.volume() * shape.channels;
    const std::size_t taps =
        std::size_t(shape.filters) * shape.filter.volume() * shape.channels / shape.groups;
    const std::size_t outputs = std::size_t(shape.images) * shape.output().volume() * shape.filters;
    checked::Random random;
    const auto a = checked::random_numbers<T>(forward ? inputs : outputs, random);
    const auto b = checked::random_numbers<T>(forward || by_data ? taps : inputs, random);
    const auto c = checked::random_numbers<float>(forward ? outputs : by_data ? inputs : taps, random);

    typename Problem::TensorExtent activations{}, filters{};
    activations[0] = shape.images, activations[dimensions + 1] = shape.channels;
    filters[0] = shape.filters, filters[dimensions + 1] = shape.channels / shape.groups;
    for (int i = 0; i < dimensions; ++i) {
      activations[i + 1] = shape.input.last<dimensions>()[i];
      filters[i + 1] = shape.filter.last<dimensions>()[i];
    }
    const Problem problem(cutlass::conv::Mode::kCrossCorrelation, activations, filters,
                          shape.lower.last<dimensions>(), shape.upper.last<dimensions>(),
                          shape.step.last<dimensions>(), shape.dilation.last<dimensions>(), shape.groups);
    typename Kernel::StrideC stride{};
    if constexpr (forward || by_data)
      for_each(make_seq<dimensions + 1>{}, [&](auto i) {
        get<0, decltype(i)::value>(stride) = problem.stride_C[dimensions - decltype(i)::value];
      });
    else
      stride = cutlass::make_cute_packed_stride(stride, problem.shape_C, problem.stride_C, operation);
    float *const device_c = checked::on_device(c), *const device_d = checked::unwritten<float>(c.size());
    typename Conv::Arguments arguments{problem,
                                       {checked::on_device(a), checked::on_device(b)},
                                       {{1.F, beta}, device_c, stride, device_d, stride}};
    arguments.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    checked::Verdict verdict(name);
    checked::launch<Conv>(arguments);
    verdict.wait();

    const auto d = checked::from_device(device_d, c.size());
    std::vector<double> sum(c.size()), size(c.size());
    for (std::size_t i = 0; i < c.size(); ++i) sum[i] = double(beta) * c[i], size[i] = std::fabs(sum[i]);
    shape.each_product([&](std::size_t input, std::size_t tap, std::size_t output) {
      const std::size_t at = forward ? output : by_data ? input : tap;
      const double x = double(a[forward ? input : output]) * double(b[forward || by_data ? tap : input]);
      sum[at] += x, size[at] += std::fabs(x);
    });
    for (std::size_t i = 0; i < c.size(); ++i) verdict.compare(d[i], sum[i], checked::share * size[i]);
    return verdict.said();
  }

  static constexpr float beta = .5F;
};

int main() {
  using cutlass::bfloat16_t, cutlass::half_t;
  using namespace cutlass::layout;
  // No multiples of tiles; padding that differs above and below, steps and dilation.
  [[maybe_unused]] const Shape3 plane{3,         40,        72,        {1, 13, 17}, {1, 3, 2},
                                      {0, 1, 1}, {0, 2, 0}, {1, 2, 1}, {1, 1, 2}};
  [[maybe_unused]] const Shape3 dense{3,         72,        40,        {1, 9, 14}, {1, 3, 3},
                                      {0, 1, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  [[maybe_unused]] const Shape3 space{2,         72,        136,       {5, 6, 7}, {2, 3, 3},
                                      {1, 1, 0}, {0, 1, 1}, {1, 1, 2}, {1, 2, 1}};
  int failed = 0;
#if GROUP == 0
  failed |=
      Convolution<Operator::kFprop, bfloat16_t, TensorNHWC, TensorNHWC, TensorNHWC,
                  Shape<_128, _64, Shape<_64>>, Shape<_1, _1, _1>>::run("forward, bf16 128x64x64", plane);
  failed |=
      Convolution<Operator::kFprop, half_t, TensorNDHWC, TensorNDHWC, TensorNDHWC,
                  Shape<_256, _128, Shape<_64>>,
                  Shape<_2, _1, _1>>::run("forward, f16 256x128x64, three dimensions, pair of blocks", space);
#elif GROUP == 1
  failed |=
      Convolution<Operator::kDgrad, bfloat16_t, TensorNHWC, TensorNHWC, TensorNHWC,
                  Shape<_128, _64, Shape<_64>>, Shape<_1, _1, _1>>::run("by data, bf16 128x64x64", dense);
  failed |=
      Convolution<Operator::kWgrad, half_t, TensorNHWC, TensorNHWC, TensorKCSR,
                  Shape<_128, Shape<_64>, Shape<_64>>, Shape<_1, _1, _1>>::run("by filter, f16 128x64x64",
                                                                               plane);
#elif GROUP == 2
  // A tile has the channels of four groups, each group's by its own filters on the diagonal. The epilogue
  // takes that from a whole tile; of the half that EpilogueTileAuto makes it takes what is not there.
  const Shape3 grouped{3, 128, 128, {1, 13, 17}, {1, 3, 2}, {0, 1, 1}, {0, 2, 0}, {1, 2, 1}, {1, 1, 2}, 8};
  failed |=
      Convolution<Operator::kWgrad, half_t, TensorNHWC, TensorNHWC, TensorKCSR,
                  Shape<_64, Shape<_64>, Shape<_64>, _4>, Shape<_1, _1, _1>,
                  cutlass::epilogue::fusion::LinearCombinationGroupedWgrad<_4, float, float>, Shape<_64, _64>,
                  cutlass::epilogue::TmaWarpSpecialized1Sm>::run("by filter in groups, f16 64x64x64",
                                                                 grouped);
#else
#error "GROUP is 0, 1 or 2"
#endif
  return failed;
}
