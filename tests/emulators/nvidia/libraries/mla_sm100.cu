// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's multi-head latent attention for sm_100a: one query a sequence, 128 heads, 512 latent numbers
// and 64 of positions a key, in pages. -DGROUP says which.
#include <iostream>  // which the library's headers use

#include <flashinfer/attention/cutlass_mla.cuh>

#include "softmax.hpp"

namespace {
constexpr int heads = 128, latent = 512, rope = 64, width = latent + rope, page = 64;

template <class Real>
int run(const char* name, const std::vector<int>& lengths, int pages) {
  checked::Random random;
  const int batches = int(lengths.size());
  const auto q = checked::random_numbers<Real>(std::size_t(batches) * heads * width, random);
  const auto cache = checked::random_numbers<Real>(std::size_t(batches) * pages * page * width, random);
  std::vector<int> table(std::size_t(batches) * pages);  // the last page first
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = int(table.size() - 1 - i);
  Real* const out = checked::unwritten<Real>(std::size_t(batches) * heads * latent);
  char* const workspace = checked::on_device(std::vector<char>(32 << 20));
  checked::Verdict verdict(name);
  const cudaError_t launched = flashinfer::attention::runMla<Real>(
      workspace, out, nullptr, checked::on_device(q), checked::on_device(cache), checked::on_device(lengths),
      checked::on_device(table), batches, pages, batches * pages, page, 0, 0);
  checked::succeed(launched, "launch");
  verdict.wait();
  const auto found = checked::from_device(out, std::size_t(batches) * heads * latent);
  const double scale = 1 / std::sqrt(128. + rope);
  for (int b = 0; b < batches; ++b) {
    const auto key = [&](int j) {
      return &cache[(std::size_t(table[b * pages + j / page]) * page + j % page) * width];
    };
    for (int h = 0; h < heads; ++h) {
      const std::size_t at = std::size_t(b) * heads + h;
      checked::compare_attention(verdict, &found[at * latent], &q[at * width], lengths[b], width, latent,
                                 scale, key, key);
    }
  }
  return verdict.said();
}
}  // namespace

int main() {
#if GROUP == 0
  return run<cutlass::bfloat16_t>("FlashInfer MLA, bf16", {128, 77}, 2);
#elif GROUP == 1
  return run<cutlass::half_t>("FlashInfer MLA, f16", {192, 5, 64}, 3);
#else
#error "GROUP is 0 or 1"
#endif
}
