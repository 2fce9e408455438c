// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: FlashInfer, MergeState
//   author: Podium
//   source: https://github.com/flashinfer-ai/flashinfer, MergeState
//   arch: sm_80+
//   needs: [flashinfer]
#include <podium/merge_state.hpp>

#include <flashinfer/attention/cascade.cuh>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows * args.heads == 0) return;
    podium::check(flashinfer::MergeState(const_cast<real*>(args.v_a.data), const_cast<float*>(args.s_a.data),
                                         const_cast<real*>(args.v_b.data), const_cast<float*>(args.s_b.data),
                                         args.v.data, args.s.data, unsigned(args.rows), unsigned(args.heads),
                                         unsigned(args.head_dim), stream));
  }
};
}  // namespace
