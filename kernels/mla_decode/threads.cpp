// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, tiles of keys, stretches of them side by side
//   author: Podium
#include <podium/mla_decode.hpp>

#include "../attention_prefill/host_flash.hpp"

namespace {
using problem::latent_dim, problem::rope_dim;

// One kv head, whose key is the latent vector and the rotated part, and whose value is the latent vector
// alone.
struct Latent {
  static std::int64_t kv_heads(const problem::Workload&) { return 1; }
  static std::int64_t key_width(const problem::Workload&) { return latent_dim + rope_dim; }
  static std::int64_t value_width(const problem::Workload&) { return latent_dim; }
  static float score_scale(const problem::Arguments& a) { return a.sm_scale; }
  static float value_scale(const problem::Arguments&) { return 1; }

  static void widen_query(const problem::Arguments& a, std::int64_t row, std::int64_t head, float* to) {
    podium::widen(a.q_nope.data + (row * a.heads + head) * latent_dim, to, latent_dim);
    podium::widen(a.q_pe.data + (row * a.heads + head) * rope_dim, to + latent_dim, rope_dim);
  }
  static void widen_key(const problem::Arguments& a, std::int64_t slot, std::int64_t kv_head, float* to) {
    widen_value(a, slot, kv_head, to);
    podium::widen(a.kpe.data + slot * rope_dim, to + latent_dim, rope_dim);
  }
  static void widen_value(const problem::Arguments& a, std::int64_t slot, std::int64_t, float* to) {
    podium::widen(a.ckv.data + slot * latent_dim, to, latent_dim);
  }
};

using Contestant = attention::host::Flash<Latent>;
}  // namespace
