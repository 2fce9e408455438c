// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated selective state spaces (Mamba 2) of whole sequences for sm_100a, by their own host
// code, which is a template: FlashInfer replaces words of it, here they are macros, and the kernels that it
// loads from machine code are those of this program.
#include <tvm/ffi/extra/cuda/cubin_launcher.h>

#include "launcher.hpp"
namespace before {
#include <cake_mamba_ssd_combined/generated/device/factorized_persistent_segment_preprocess_c17ae00890.cu>
}
#include <cake_mamba_ssd_combined/generated/device/mamba_ssd_q_tmem_alias_f32_batched_6b6da3e81c.cu>

namespace {

struct Kernel {
  const void* entry;
  cudaError_t Launch(void** arguments, const tvm::ffi::dim3& grid, const tvm::ffi::dim3& block,
                     cudaStream_t stream, unsigned bytes) const {
    return cudaLaunchKernel(entry, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, arguments, bytes,
                            stream);
  }
};
struct Library {
  const void* entry;
  Kernel GetKernelWithMaxDynamicSharedMemory(const char*, int bytes) const {
    checked::succeed(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                     "shared memory");
    return {entry};
  }
};
struct Loaded {
  Library mod;
};

}  // namespace

namespace EmbedCubinModule_CAKE_SSD_PREPROCESS_MODULE {
const Loaded* Global() {
  static const Loaded loaded{
      {reinterpret_cast<const void*>(before::kernel_factorized_persistent_segment_preprocess)}};
  return &loaded;
}
}  // namespace EmbedCubinModule_CAKE_SSD_PREPROCESS_MODULE
namespace EmbedCubinModule_CAKE_SSD_MAIN_MODULE {
const Loaded* Global() {
  static const Loaded loaded{{reinterpret_cast<const void*>(kernel_mamba_ssd_q_tmem_alias_f32_batched)}};
  return &loaded;
}
}  // namespace EmbedCubinModule_CAKE_SSD_MAIN_MODULE
#undef TVM_FFI_EMBED_CUBIN
#define TVM_FFI_EMBED_CUBIN(name)
#undef TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR
#define TVM_FFI_CHECK_CUBIN_LAUNCHER_CUDA_ERROR(status) checked::succeed(status, "launch")
#define CAKE_SSD_PREPROCESS_THREADSu 128u
#define CAKE_SSD_MAIN_SMEM_BYTES 231936
#define CAKE_SSD_MAIN_SMEM_BYTESu 231936u
#define CAKE_SSD_STATE_DTYPE_CODE kDLFloat
#define CAKE_SSD_STATE_DTYPE_BITS 32
#include <cake_mamba_ssd_combined/generated/host/mamba_ssd_combined_sequence.cpp>
#include "quantized.hpp"

namespace {

using Bf16 = __nv_bfloat16;
using checked::View;

constexpr int sequences = 2, tokens = 300, heads = 4, groups = 2, width = 64, state = 128, chunk = 128;
constexpr int chunks = (tokens + chunk - 1) / chunk;
// Functions that hardware approximates, of sums of f32.
constexpr double share = 1e-5;
const double of_bf16 = std::ldexp(1., -8), of_f16 = std::ldexp(1., -11);

struct Operands {
  explicit Operands(checked::Random& random)
      : x(few(sequences * tokens * heads * width, 1, random)),
        b(few(sequences * tokens * groups * state, 2, random)),
        c(few(sequences * tokens * groups * state, 2, random)),
        z(few(sequences * tokens * heads * width, 1, random)),
        d(few(heads, 1, random)),
        dt(sequences * tokens * heads),
        a(heads),
        bias(heads),
        initial(sequences * heads * width * state) {
    for (auto& value : dt) value = random.small();
    for (auto& value : bias) value = random.small() / 4 - 2;
    for (auto& value : a) value = -float(1 + random.below(100)) / 200;
    for (auto& value : initial) value = random.small();
  }
  static std::vector<Bf16> few(std::size_t count, float divisor, checked::Random& random) {
    std::vector<Bf16> all(count);
    for (auto& value : all) value = Bf16(random.small() / divisor);
    return all;
  }
  std::vector<Bf16> x, b, c, z, d;
  std::vector<float> dt, a, bias, initial;
};

struct State {
  double value, off;
};

// What a head of a sequence must come to, chunk by chunk as the kernel does it: the state before a chunk is
// rounded to bf16 for a product, and so is what each token adds to it, and how much of each token is in
// another.
void compare_head(checked::Verdict& outputs, checked::Verdict& states, const Operands& of, int s, int h,
                  const std::vector<Bf16>& out, const std::vector<float>& last) {
  const auto token = [&](int t) { return std::size_t(s) * tokens + t; };
  const auto number = [&](const std::vector<Bf16>& all, int t, int i) {
    return double(all[(token(t) * heads + h) * width + i]);
  };
  const int group = h / (heads / groups);
  const auto of_group = [&](const std::vector<Bf16>& all, int t) {
    return &all[(token(t) * groups + group) * state];
  };
  const std::size_t at = (std::size_t(s) * heads + h) * width * state;
  std::vector<State> now(width * state);
  for (int i = 0; i < width * state; ++i) now[i] = {of.initial[at + i], 0};
  for (int begin = 0; begin < tokens; begin += chunk) {
    const int count = std::min(chunk, tokens - begin);
    std::vector<double> step(count), sum(count);
    for (int t = 0; t < count; ++t) {
      step[t] = std::log1p(std::exp(double(of.dt[token(begin + t) * heads + h]) + of.bias[h]));
      sum[t] = step[t] * of.a[h] + (t > 0 ? sum[t - 1] : 0);
    }
    for (int t = 0; t < count; ++t) {
      const Bf16* const c = of_group(of.c, begin + t);
      std::vector<double> within(t + 1), off_within(t + 1);
      for (int u = 0; u <= t; ++u) {
        const Bf16* const b = of_group(of.b, begin + u);
        double product = 0, size = 0;
        for (int n = 0; n < state; ++n)
          product += double(c[n]) * double(b[n]), size += std::fabs(double(c[n]) * double(b[n]));
        const double by = std::exp(sum[t] - sum[u]) * step[u];
        within[u] = by * product;
        off_within[u] = std::fabs(within[u]) * (of_bf16 + of_f16 + share) + by * 2e-6 * size;
      }
      for (int i = 0; i < width; ++i) {
        double before = 0, off = 0;
        for (int n = 0; n < state; ++n) {
          const State& value = now[i * state + n];
          before += double(c[n]) * value.value;
          off += std::fabs(double(c[n])) * (std::fabs(value.value) * (of_bf16 + share) + value.off * 1.01);
        }
        const double decay = std::exp(sum[t]);
        double result = decay * before + double(of.d[h]) * number(of.x, begin + t, i);
        off = decay * off + share * std::fabs(result);
        for (int u = 0; u <= t; ++u) {
          const double value = number(of.x, begin + u, i);
          result += within[u] * value;
          off += (off_within[u] + share * std::fabs(within[u])) * std::fabs(value);
        }
        const double gate = checked::silu(number(of.z, begin + t, i));
        result *= gate, off = off * std::fabs(gate) + share * std::fabs(result);
        outputs.compare(float(out[(token(begin + t) * heads + h) * width + i]), result,
                        off + checked::rounded<Bf16>(std::fabs(result) + off, 0));
      }
    }
    for (int i = 0; i < width; ++i)
      for (int n = 0; n < state; ++n) {
        State& value = now[i * state + n];
        const double decay = std::exp(sum[count - 1]);
        value.value *= decay;
        value.off = value.off * decay + share * std::fabs(value.value);
        for (int t = 0; t < count; ++t) {
          const double term = std::exp(sum[count - 1] - sum[t]) * step[t] * number(of.x, begin + t, i) *
                              double(of_group(of.b, begin + t)[n]);
          value.value += term;
          value.off += std::fabs(term) * (of_bf16 + of_f16 + share);
        }
      }
  }
  for (int i = 0; i < width * state; ++i) states.compare(last[at + i], now[i].value, now[i].off + 1e-30);
}

}  // namespace

int main() {
  checked::Random random;
  const Operands of(random);
  std::vector<int> starts, lengths;
  for (int s = 0; s < sequences; ++s)
    for (int t = 0; t < tokens; t += chunk)
      starts.push_back(s * tokens + t), lengths.push_back(std::min(chunk, tokens - t));
  constexpr int segments = sequences * chunks;
  auto* const out = checked::unwritten<Bf16>(of.x.size());
  auto* const last = checked::unwritten<float>(of.initial.size());
  const View x(checked::on_device(of.x), {sequences, tokens, heads, width}),
      b(checked::on_device(of.b), {sequences, tokens, groups, state}),
      c(checked::on_device(of.c), {sequences, tokens, groups, state}),
      z(checked::on_device(of.z), {sequences, tokens, heads, width}), d(checked::on_device(of.d), {heads}),
      dt(checked::on_device(of.dt), {sequences, tokens, heads}), a(checked::on_device(of.a), {heads}),
      bias(checked::on_device(of.bias), {heads}),
      initial(checked::on_device(of.initial), {sequences, heads, width, state}),
      final_states(last, {sequences, heads, width, state}), outputs(out, {sequences, tokens, heads, width}),
      of_starts(checked::on_device(starts), {segments}), of_lengths(checked::on_device(lengths), {segments}),
      delta(checked::unwritten<__half>(segments * heads * chunk), {segments * heads, chunk}),
      sums(checked::unwritten<float>(segments * heads * chunk), {segments * heads, chunk}),
      no_int(checked::unwritten<int>(1), {1}), no_long(checked::unwritten<std::int64_t>(1), {1}),
      no_number(checked::unwritten<Bf16>(1), {1}), no_state(checked::unwritten<float>(1), {1});
  checked::Verdict verdict("outputs, bf16 128x128x64, gated"), states("states, f32");
  cake_mamba_ssd_combined_host_CAKE_SSD_PROGRAM::Run(
      dt, a, bias, of_starts, of_lengths, no_int, no_int, delta, sums, segments, heads, tokens, 0, 1, 0,
      INFINITY, no_int, no_long, 0, no_int, sequences, 0, (segments * heads + 127) / 128, 1, 1,
      // The scan.
      x, b, c, outputs, no_number, dt, delta, sums, a, no_number, no_number, d, z, bias, initial,
      final_states, no_state, no_int, no_int, no_int, no_long, no_int, no_int, no_int, outputs, heads, groups,
      sequences, tokens, chunks, sequences, chunks, 0, 1, 1, 1, 1, 0, INFINITY, 1, 0, 3, 1, 1, 0);
  verdict.wait();
  states.wait();
  const auto found = checked::from_device(out, of.x.size());
  const auto ends = checked::from_device(last, of.initial.size());
  for (int s = 0; s < sequences; ++s)
    for (int h = 0; h < heads; ++h) compare_head(verdict, states, of, s, h, found, ends);
  return verdict.said() | states.said();
}
