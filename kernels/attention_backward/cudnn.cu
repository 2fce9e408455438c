// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuDNN, attention backward
//   author: Podium
//   source: https://docs.nvidia.com/deeplearning/cudnn/frontend/latest/operations/Attention.html
//   arch: sm_80+
//   needs: [cudnn, cudnn_frontend]
//   when: len != 1
#include <podium/attention_backward.hpp>

#include "../attention_prefill/cudnn_sdpa.hpp"

namespace {
using problem::real;
using namespace cudnn_sdpa;

// As cuDNN takes it: to base e, [batch, heads, len].
__global__ void convert_lse(const problem::Arguments args, float* natural) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= args.lse.size()) return;
  const std::int64_t i = n % args.len, h = n / args.len % args.heads, b = n / (args.len * args.heads);
  natural[n] = args.lse(b, i, h) / log2_e;
}

struct Contestant {
  Plan plan;
  float* natural_lse = nullptr;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    if (w.batch * w.len * w.heads == 0) return;
    natural_lse = workspace.device<float>(std::size_t(w.batch * w.len * w.heads));
    const auto shape = [&](std::int64_t heads, std::int64_t numbers) {
      return Shape{w.batch, heads, w.len, numbers};
    };
    const auto strides = [&](std::int64_t heads, std::int64_t numbers) {
      return Shape{w.len * heads * numbers, numbers, heads * numbers, 1};
    };
    const auto input = [&](Id id, std::int64_t heads) {
      return plan.tensor(id, shape(heads, w.head_dim), strides(heads, w.head_dim), dtype<real>);
    };
    auto options = fe::graph::SDPA_backward_attributes()
                       .set_name("attention")
                       .set_attn_scale(float(1 / std::sqrt(double(w.head_dim))));
    if (w.causal == 1) options.set_diagonal_band_right_bound(0);
    const auto [dq, dk, dv] = plan.graph.sdpa_backward(
        input(query, w.heads), input(key, w.kv_heads), input(value, w.kv_heads), input(output, w.heads),
        input(output_gradient, w.heads),
        plan.tensor(stats, shape(w.heads, 1), {w.heads * w.len, w.len, 1, 1}, fe::DataType_t::FLOAT),
        options);
    const auto result = [&](const Tensor& made, Id id, std::int64_t heads) {
      Plan::describe_output(made, id, shape(heads, w.head_dim), strides(heads, w.head_dim), dtype<real>);
    };
    result(dq, query_gradient, w.heads);
    result(dk, key_gradient, w.kv_heads);
    result(dv, value_gradient, w.kv_heads);
    plan.build(workspace, stream);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (natural_lse == nullptr) return;
    constexpr int block = 256;
    podium::launch(convert_lse, dim3(unsigned(podium::ceil_div(args.lse.size(), block))), dim3(block), 0,
                   stream, args, natural_lse);
    plan.set(query, args.q.data);
    plan.set(key, args.k.data);
    plan.set(value, args.v.data);
    plan.set(output, args.out.data);
    plan.set(output_gradient, args.dout.data);
    plan.set(stats, natural_lse);
    plan.set(query_gradient, args.dq.data);
    plan.set(key_gradient, args.dk.data);
    plan.set(value_gradient, args.dv.data);
    plan.run();
  }
};
}  // namespace
