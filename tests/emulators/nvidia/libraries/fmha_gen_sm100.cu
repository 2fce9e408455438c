// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's attention of one query a sequence for sm_100a, of fp8 numbers with operands by cp.async: heads
// of 128, some of which share keys and values.
#include <iostream>  // which the library's headers use

#include <cutlass/cutlass.h>
#include <cutlass/kernel_hardware_info.h>
#include <cute/tensor.hpp>
#include <cutlass/pipeline/pipeline.hpp>
#include <flashinfer/attention/blackwell/collective/fmha_fusion.hpp>
#include <flashinfer/attention/blackwell/collective/sm100_fmha_gen_epilogue_warpspecialized.hpp>
#include <flashinfer/attention/blackwell/collective/sm100_fmha_gen_mainloop_warpspecialized.hpp>
#include <flashinfer/attention/blackwell/device/fmha.hpp>
#include <flashinfer/attention/blackwell/kernel/sm100_fmha_gen_kernel_warpspecialized.hpp>

#include "cutlass_checked.hpp"
#include "softmax.hpp"

using namespace cute;
using Out = cutlass::half_t;

namespace {
constexpr int width = 128;
constexpr double copied = 1e-6;  // less than two different numbers of fp8 are apart

// One tile of queries a block; the package's own scheduler is for attention of many queries.
struct Scheduler {
  struct Params {
    dim3 grid;
  };
  CUTLASS_DEVICE explicit Scheduler(const Params& /*params*/) {}
  template <class Problem, class Cluster, class Tile>
  static Params to_underlying_arguments(const Problem& problem,
                                        const cutlass::KernelHardwareInfo& /*hardware*/, Cluster /*cluster*/,
                                        Tile tile) {
    return {dim3(ceil_div(size<0>(problem), size<0>(tile)), size<3, 0>(problem), size<3, 1>(problem))};
  }
  static dim3 get_grid_shape(const Params& params) { return params.grid; }
  CUTLASS_DEVICE bool is_valid() const { return !done_; }
  CUTLASS_DEVICE auto get_block_coord() const {
    return make_coord(int(blockIdx.x), _0{}, make_coord(int(blockIdx.y), int(blockIdx.z)));
  }
  CUTLASS_DEVICE Scheduler& operator++() {
    done_ = true;
    return *this;
  }

 private:
  bool done_ = false;
};

template <class Element, class Tile>
int run(const char* name, int shared_by, int heads, const std::vector<int>& lengths, bool with_new) {
  using Problem = Shape<_1, int, int, Shape<Shape<int, int>, int>>;
  using StrideQ = Stride<_0, _1, Stride<Stride<int, int>, int>>;
  using StrideNew = Stride<_0, _1, Stride<Stride<_0, int>, int>>;
  using StrideCache = Stride<int, _1, Stride<Stride<_0, int>, int>>;
  using Mainloop = cutlass::fmha::collective::Sm100FmhaGenMainloopWarpspecialized<
      Element, float, float, Out, Tile, StrideQ, StrideNew, StrideNew, StrideCache, StrideCache, StrideQ>;
  using Kernel = cutlass::fmha::kernel::Sm100FmhaGenKernelWarpspecialized<
      Problem, Mainloop, cutlass::fmha::collective::Sm100FmhaGenEpilogueWarpspecialized<Out, StrideQ>,
      Scheduler>;
  using Operation = cutlass::fmha::device::FMHA<Kernel>;

  checked::Random random;
  const int batches = int(lengths.size()), longest = *std::max_element(lengths.begin(), lengths.end()) + 1;
  const std::size_t keys = std::size_t(batches) * longest * heads * width;
  const auto q = checked::random_numbers<Element>(std::size_t(batches) * heads * shared_by * width, random);
  const auto k = checked::random_numbers<Element>(keys, random),
             v = checked::random_numbers<Element>(keys, random);
  const std::size_t news = std::size_t(batches) * heads * width;
  const auto new_k = checked::random_numbers<Element>(news, random);
  const auto new_v = checked::random_numbers<Element>(news, random);
  Element *const device_k = checked::on_device(k), *const device_v = checked::on_device(v);
  Out* const device_out = checked::unwritten<Out>(q.size());

  const StrideQ stride_q{_0{}, _1{}, {{width, width * shared_by}, width * shared_by * heads}};
  const StrideNew stride_new{_0{}, _1{}, {{_0{}, width}, width * heads}};
  const StrideCache stride_cache{width * heads, _1{}, {{_0{}, width}, width * heads * longest}};
  cutlass::KernelHardwareInfo hardware;
  hardware.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
  const typename Operation::Arguments arguments{Problem{_1{}, longest, width, {{shared_by, heads}, batches}},
                                                checked::on_device(lengths),
                                                nullptr,
                                                checked::on_device(q),
                                                stride_q,
                                                with_new ? checked::on_device(new_k) : nullptr,
                                                stride_new,
                                                with_new ? checked::on_device(new_v) : nullptr,
                                                stride_new,
                                                device_k,
                                                stride_cache,
                                                device_v,
                                                stride_cache,
                                                device_out,
                                                stride_q,
                                                hardware};
  checked::Verdict verdict(name);
  Operation operation;
  checked::succeed(operation.initialize(arguments), "initialize");
  checked::succeed(operation.run(), "run");
  verdict.wait();

  const auto out = checked::from_device(device_out, q.size());
  for (int b = 0; b < batches; ++b)
    for (int h = 0; h < heads * shared_by; ++h) {
      const int of = h / shared_by;
      const auto at = [&](const std::vector<Element>& all, const std::vector<Element>& fresh, int j) {
        return j < lengths[b] ? &all[((std::size_t(b) * longest + j) * heads + of) * width]
                              : &fresh[(std::size_t(b) * heads + of) * width];
      };
      const std::size_t row = (std::size_t(b) * heads * shared_by + h) * width;
      checked::compare_attention(
          verdict, &out[row], &q[row], lengths[b] + int(with_new), width, width, 1 / std::sqrt(double(width)),
          [&](int j) { return at(k, new_k, j); }, [&](int j) { return at(v, new_v, j); });
    }
  if (with_new) {  // which the kernel appends to the others
    const auto cached_k = checked::from_device(device_k, keys),
               cached_v = checked::from_device(device_v, keys);
    for (int b = 0; b < batches; ++b)
      for (int i = 0; i < heads * width; ++i) {
        const std::size_t at = (std::size_t(b) * longest + lengths[b]) * heads * width + i;
        const std::size_t fresh = std::size_t(b) * heads * width + i;
        verdict.compare(float(cached_k[at]), float(new_k[fresh]), copied);
        verdict.compare(float(cached_v[at]), float(new_v[fresh]), copied);
      }
  }
  return verdict.said();
}
}  // namespace

int main() {
  int failed = 0;
  failed |= run<cutlass::float_e4m3_t, Shape<_128, _256, _128>>("attention of one query, e4m3", 8, 2,
                                                                {200, 600}, false);
  failed |= run<cutlass::float_e4m3_t, Shape<_128, _256, _128>>(
      "attention of one query, e4m3, a new key each", 8, 2, {200, 511}, true);
  return failed;
}
