// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's step of a selective state space (Mamba 2), compiled for sm_100a: a state of `dim` x `dstate`
// numbers a head decays, takes x B, and is read through C. -DGROUP says by which kernels.
#define FLASHINFER_ENABLE_BF16
#include <cuda_bf16.h>

// As FlashInfer's generated configuration names them.
#define FLASHINFER_MAMBA_ENABLE_SM90
#define FLASHINFER_MAMBA_ENABLE_SM100
constexpr int DIM = 64, DSTATE = 128, NTOKENS_MTP = 1, PHILOX_ROUNDS = 0;
using cuSeqlensIndex_t = int;
using numAcceptedIndex_t = int;
#pragma nv_diag_suppress 2361  // a stride with a sign becomes one without, in braces
#include <flashinfer/mamba/selective_state_update.cuh>

#include "rounded.hpp"

namespace {

using namespace flashinfer::mamba;
using T = __nv_bfloat16;

template <class State>
int run(const char* name, SSUAlgorithm algorithm) {
  constexpr int sequences = 3, heads = 4, groups = 2, places = 5;
  checked::Random random;
  const std::size_t of_state = std::size_t(heads) * DIM * DSTATE, row = std::size_t(heads) * DIM;
  const auto state = checked::random_numbers<State>(places * of_state, random);
  const auto x = checked::random_numbers<T>(sequences * row, random),
             z = checked::random_numbers<T>(sequences * row, random),
             b = checked::random_numbers<T>(sequences * groups * DSTATE, random),
             c = checked::random_numbers<T>(sequences * groups * DSTATE, random),
             step = checked::random_numbers<T>(sequences * heads, random),
             bias = checked::random_numbers<T>(heads, random),
             skip = checked::random_numbers<T>(heads, random);
  std::vector<float> decay(heads);
  for (auto& a : decay) a = -std::exp(random.small() / 2);
  const std::vector<std::int64_t> place{4, 0, 2};
  State* const device_state = checked::on_device(state);
  T* const out = checked::unwritten<T>(sequences * row);
  SelectiveStateUpdateParams p;
  p.batch = sequences, p.nheads = heads, p.dim = DIM, p.dstate = DSTATE, p.ngroups = groups;
  p.state_cache_size = places;
  p.x_stride_batch = p.z_stride_batch = p.out_stride_batch = std::int64_t(row);
  p.dt_stride_batch = heads, p.B_stride_batch = p.C_stride_batch = groups * DSTATE;
  p.state_stride_batch = std::int64_t(of_state);
  p.state = device_state, p.x = checked::on_device(x), p.z = checked::on_device(z), p.output = out;
  p.dt = checked::on_device(step), p.dt_bias = checked::on_device(bias), p.A = checked::on_device(decay);
  p.B = checked::on_device(b), p.C = checked::on_device(c), p.D = checked::on_device(skip);
  p.state_batch_indices = checked::on_device(place);
  p.dt_softplus = true;
  checked::Verdict verdict(name);
  invokeSelectiveStateUpdate<T, T, float, State, std::int64_t, void>(p, algorithm, nullptr);
  checked::succeed(cudaGetLastError(), "launch");
  verdict.wait();
  const auto found = checked::from_device(out, sequences * row);
  const auto left = checked::from_device(device_state, state.size());
  constexpr double share = 1e-5;  // exp, log and divisions of f32 that hardware approximates
  for (int s = 0; s < sequences; ++s)
    for (int h = 0; h < heads; ++h) {
      const double dt = std::log1p(std::exp(double(float(step[s * heads + h])) + double(float(bias[h]))));
      const double kept = std::exp(decay[h] * dt);
      const int of_group = (s * groups + h / (heads / groups)) * DSTATE;
      for (int d = 0; d < DIM; ++d) {
        const std::size_t at = s * row + std::size_t(h) * DIM + d;
        const std::size_t in_state = place[s] * of_state + (std::size_t(h) * DIM + d) * DSTATE;
        const double of_x = float(x[at]), of_z = float(z[at]);
        double sum = double(float(skip[h])) * of_x, size = std::fabs(sum);
        for (int n = 0; n < DSTATE; ++n) {
          const double before = double(float(state[in_state + n])) * kept,
                       more = double(float(b[of_group + n])) * dt * of_x;
          verdict.compare(
              float(left[in_state + n]), before + more,
              checked::rounded<State>(before + more, share, share * (std::fabs(before) + std::fabs(more))));
          const double term = (before + more) * double(float(c[of_group + n]));
          sum += term;
          size += (std::fabs(before) + std::fabs(more)) * std::fabs(double(float(c[of_group + n])));
        }
        const double gate = of_z / (1 + std::exp(-of_z));
        verdict.compare(float(found[at]), sum * gate,
                        checked::rounded<T>(sum * gate, share, share * size * std::fabs(gate)));
      }
    }
  // What belongs to no sequence is as it was.
  for (const std::size_t other : {1, 3})
    for (std::size_t i = 0; i < of_state; ++i)
      verdict.compare(float(left[other * of_state + i]), float(state[other * of_state + i]), 1e-30);
  return verdict.said();
}

}  // namespace

int main() {
#if GROUP == 0
  return run<float>("state in f32, rows of blocks", SSUAlgorithm::kSimple) |
         run<float>("state in f32, by TMA, rows", SSUAlgorithm::kVertical);
#elif GROUP == 1
  return run<T>("state in bf16, by TMA, columns", SSUAlgorithm::kHorizontal);
#else
#error "GROUP is 0 or 1"
#endif
}
