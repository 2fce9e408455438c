// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, Hopper latent attention
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, BatchMLAPageAttentionHopper
//   arch: sm_90a
//   needs: [flashinfer]
#include <flashinfer/attention/mla_hopper.cuh>

#include "flashinfer_mla.hpp"

namespace {
using namespace flashinfer_mla;

struct Contestant {
  Plan plan;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : plan(w, workspace, stream) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    plan.run(args, [&](const Params& params, unsigned x, unsigned y) {
      return flashinfer::mla::BatchMLAPageAttentionHopper<flashinfer::MaskMode::kNone, latent_dim, rope_dim>(
          params, x, y, stream);
    });
  }
};
}  // namespace
