// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's generated experts of few tokens for sm_100a, of nvfp4, with the tensor maps and arguments that
// its host code makes. -DGROUP=0: two products with each expert's first weights, g and u, of which
// (u + beta) g over 1 + exp(-alpha g) is quantized anew, g and u bounded before; 1: the product with its
// second weights.
#define FLASHINFER_CAKE_WARP_DECODE_TARGET_MINOR 0
#include <fused_moe/warp_decode/cake_warp_decode_contract.cuh>
#include <fused_moe/warp_decode/generated/cake_warp_decode_generated_manifest.cuh>
#if GROUP == 0
#include <fused_moe/warp_decode/generated/common/cake_warp_decode_3aa297e8ff45f1333ec9_kernel.cu>
#elif GROUP == 1
#include <fused_moe/warp_decode/generated/sm_100a/cake_warp_decode_c6e324e2d43c0e98cca8_kernel.cu>
#else
#error "GROUP is 0 or 1"
#endif

#include "experts.hpp"

namespace {

using namespace flashinfer::warp_decode;
using Bf16 = __nv_bfloat16;
using checked::Near;
using checked::Sum;

constexpr int hidden = 1024, width = 256, experts = 3;
const checked::Tiles tiles{{0, 2, 2, 1}, {8, 8, 3, 5}};

struct Operands {
  explicit Operands(checked::Random& random) {
    const int count = tiles.count();
    inv.shape = {7, hidden, width, experts, experts, 1};
    schedule.route_layout = RouteLayout::kGpuPacked;
    ws.route_extent = ws.route_tiles = count;
    ws.tile_expert = checked::on_device(tiles.experts);
    ws.tile_mn_limit = checked::on_device(tiles.ends());
    ws.num_non_exiting_ctas = checked::on_device(std::vector{count});
    for (auto& token : routed) token = int(random.below(7));
    ws.route_map = checked::on_device(routed);
  }
  std::vector<int> routed = std::vector<int>(tiles.count() * tiles.rows);
  Invocation inv{};
  Schedule schedule{};
  generated::detail::WorkspaceView ws{};
};

template <class Arguments, class Kernel>
void launch(bool prepared, const Arguments& arguments,
            cudaError_t (*submit)(const cudaLaunchConfig_t*, const void*), Kernel* kernel, unsigned blocks) {
  if (!prepared) std::exit((std::printf("no arguments\n"), 1));
  checked::succeed(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                        cudaFuncAttributeMaxDynamicSharedMemorySize, SMEM_TOTAL),
                   "shared memory");
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks, unsigned(tiles.count()));
  config.blockDim = dim3(THREADS);
  config.dynamicSmemBytes = SMEM_TOTAL;
  checked::succeed(submit(&config, &arguments), "launch");
}

#if GROUP == 0
// What threads make of g and u, of which sums are known within `off`.
Near activated(const Sum& gate, const Sum& up, double scale, double up_scale, double alpha, double beta,
               double bound) {
  const auto result = [&](double g, double u) {
    g = std::min(g, bound), u = std::min(std::max(u, -bound), bound);
    return (u * up_scale * scale + beta * scale) * g / (1 + std::exp(-alpha * scale * g));
  };
  const double exact = result(gate.sum, up.sum);
  double off = 0;
  for (const double g : {gate.sum - 2e-6 * gate.size, gate.sum + 2e-6 * gate.size})
    for (const double u : {up.sum - 2e-6 * up.size, up.sum + 2e-6 * up.size})
      off = std::max(off, std::fabs(result(g, u) - exact));
  return {exact, off + 1e-5 * std::fabs(exact)};
}

int run() {
  constexpr int tokens = 7;
  checked::Random random;
  Operands of(random);
  const checked::Nvfp4 a(experts * 2 * width, hidden, random);
  const checked::Rows b(tokens, hidden, random);
  const auto scale = checked::factors_up_to(experts, 2e-3, random),
             up_scale = checked::factors_up_to(experts, 2, random),
             alpha = checked::factors_up_to(experts, 2, random),
             beta = checked::factors_up_to(experts, 100, random);
  const std::vector<float> bound{500, 1000, 3000};
  of.inv.gemm1_weights = checked::on_device(a.bytes);
  of.inv.gemm1_weights_scale = checked::on_device(a.factors);
  of.inv.hidden_states_q = checked::on_device(b.numbers.bytes);
  of.inv.hidden_states_scale = checked::on_device(b.factors);
  of.inv.output1_scale_scalar = checked::on_device(up_scale);
  of.inv.output1_scale_gate_scalar = checked::on_device(scale);
  of.inv.gemm1_alpha = checked::on_device(alpha);
  of.inv.gemm1_beta = checked::on_device(beta);
  of.inv.gemm1_clamp_limit = checked::on_device(bound);
  const int rows = tiles.count() * tiles.rows;
  of.ws.intermediate = checked::unwritten<std::uint8_t>(rows * width / 2);
  of.ws.intermediate_scale = checked::unwritten<std::uint8_t>(rows * width / 16);
  checked::Verdict verdict("experts' first products, nvfp4 128x8x512, to nvfp4");
  generated::detail::KernelArgs_1 arguments;
  const bool prepared = generated::detail::PrepareKernel_1(of.inv, of.schedule, of.ws, &arguments);
  launch(prepared, arguments, &generated::detail::SubmitKernel_1,
         kernel_cake_warp_decode_3aa297e8ff45f1333ec9, 2 * width / 128);
  verdict.wait();
  const auto bytes = checked::from_device(of.ws.intermediate, rows * width / 2),
             factors = checked::from_device(of.ws.intermediate_scale, rows * width / 16);
  for (int t = 0; t < tiles.count(); ++t)
    for (int r = t * tiles.rows; r < t * tiles.rows + tiles.counts[t]; ++r) {
      const int e = tiles.experts[t];
      std::vector<Near> row;
      for (int f = 0; f < width; ++f) {
        Sum sums[2];
        for (int l = 0; l < hidden; ++l)
          for (const bool gate : {false, true})
            sums[gate].add(b.in_rows(of.routed[r], l) * a.at(e * 2 * width + checked::first_row(f, gate), l));
        row.push_back(activated(sums[1], sums[0], scale[e], up_scale[e], alpha[e], beta[e], bound[e]));
      }
      checked::compare_row(verdict, bytes, factors, r, row, 1);
    }
  return verdict.said();
}
#else
int run() {
  checked::Random random;
  Operands of(random);
  const int rows = tiles.count() * tiles.rows;
  const checked::Nvfp4 a(experts * hidden, width, random);
  const checked::Rows b(rows, width, random);
  const auto scale = checked::factors_up_to(experts, 1, random);
  of.inv.gemm2_weights = checked::on_device(a.bytes);
  of.inv.gemm2_weights_scale = checked::on_device(a.factors);
  of.inv.output2_scale_scalar = checked::on_device(scale);
  of.ws.intermediate = checked::on_device(b.numbers.bytes);
  of.ws.intermediate_scale = checked::on_device(b.factors);
  of.ws.partials = checked::unwritten<std::uint16_t>(rows * hidden);
  of.ws.fc2_work_counter = checked::on_device(std::vector{0});
  checked::Verdict verdict("experts' second products, nvfp4 128x8x256");
  generated::detail::KernelArgs_10 arguments;
  const bool prepared = generated::detail::PrepareKernel_10(of.inv, of.schedule, of.ws, &arguments);
  launch(prepared, arguments, &generated::detail::SubmitKernel_10,
         kernel_cake_warp_decode_c6e324e2d43c0e98cca8, hidden / 128);
  verdict.wait();
  const auto found = checked::from_device(reinterpret_cast<const Bf16*>(of.ws.partials), rows * hidden);
  checked::compare_second(verdict, found, tiles, a, b, scale, hidden);
  return verdict.said();
}
#endif

}  // namespace

int main() { return run(); }
