// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's FlashAttention-2 for sm_100a, keys and values in pages. -DGROUP=0: one query a sequence, whole
// and in chunks that another kernel merges, which is launched to begin before the chunks are done; 1: many
// queries, causal.
#include <flashinfer/attention/decode.cuh>
#include <flashinfer/attention/default_decode_params.cuh>
#include <flashinfer/attention/default_prefill_params.cuh>
#include <flashinfer/attention/prefill.cuh>
#include <flashinfer/attention/variants.cuh>

#include "softmax.hpp"

namespace {

constexpr int width = 128, page = 16, key_heads = 2, of_group = 4, query_heads = key_heads * of_group;
using Variant = flashinfer::DefaultAttention<false, false, false, false>;

// Of some sequences: their pages one behind the other, the last one first.
template <class T>
struct Cache {
  Cache(const std::vector<int>& keys_of, checked::Random& random) : keys(keys_of) {
    int pages = 0;
    for (const int count : keys) {
      pages += (count + page - 1) / page;
      first_page.push_back(pages);
      in_last_page.push_back((count - 1) % page + 1);
    }
    for (int i = 0; i < pages; ++i) place.push_back(pages - 1 - i);
    const std::size_t numbers = std::size_t(pages) * page * key_heads * width;
    k = checked::random_numbers<T>(numbers, random), v = checked::random_numbers<T>(numbers, random);
  }
  flashinfer::paged_kv_t<T, int> on_device() const {
    return {key_heads,
            page,
            width,
            std::uint32_t(keys.size()),
            flashinfer::QKVLayout::kNHD,
            checked::on_device(k),
            checked::on_device(v),
            checked::on_device(place),
            checked::on_device(first_page),
            checked::on_device(in_last_page)};
  }
  const T* row(const std::vector<T>& all, int sequence, int key, int head) const {
    const int at = place[first_page[sequence] + key / page] * page + key % page;
    return &all[(std::size_t(at) * key_heads + head) * width];
  }
  // Of the query of all heads at `q`, which sees as many keys.
  void compare(checked::Verdict& verdict, const T* found, const T* q, int sequence, int seen) const {
    for (int h = 0; h < query_heads; ++h)
      checked::compare_attention(
          verdict, found + h * width, q + h * width, seen, width, width, 1 / std::sqrt(double(width)),
          [&](int j) { return row(k, sequence, j, h / of_group); },
          [&](int j) { return row(v, sequence, j, h / of_group); });
  }

  std::vector<int> keys, first_page{0}, in_last_page, place;
  std::vector<T> k, v;
};

// `chunk` keys at a time; 0: all.
template <class T>
int decode(const char* name, const std::vector<int>& keys, int chunk) {
  using Parameters = flashinfer::BatchDecodeParams<T, T, T, int>;
  checked::Random random;
  const Cache<T> cache(keys, random);
  const int sequences = int(keys.size());
  const auto q = checked::random_numbers<T>(std::size_t(sequences) * query_heads * width, random);
  std::vector<int> request, tile, first{0};
  for (int s = 0; s < sequences; ++s) {
    for (int t = 0; t < (chunk ? (keys[s] + chunk - 1) / chunk : 1); ++t)
      request.push_back(s), tile.push_back(t);
    first.push_back(int(request.size()));
  }
  T* const out = checked::unwritten<T>(q.size());
  Parameters p(checked::on_device(q), nullptr, cache.on_device(), out, nullptr, nullptr, query_heads,
               query_heads * width, width, -1, 0, 1 / std::sqrt(float(width)), 1, 1e4);
  p.padded_batch_size = std::uint32_t(request.size());
  p.request_indices = checked::on_device(request), p.kv_tile_indices = checked::on_device(tile);
  p.o_indptr = checked::on_device(first), p.kv_chunk_size_ptr = checked::on_device(std::vector{chunk});
  T* const parts = chunk ? checked::unwritten<T>(request.size() * query_heads * width) : nullptr;
  float* const logarithms = chunk ? checked::unwritten<float>(request.size() * query_heads) : nullptr;
  checked::Verdict verdict(name);
  const cudaError_t launched =
      flashinfer::BatchDecodeWithPagedKVCacheDispatched<width, flashinfer::PosEncodingMode::kNone, Variant>(
          p, parts, logarithms, true, nullptr);
  checked::succeed(launched, "launch");
  verdict.wait();
  const auto found = checked::from_device(out, q.size());
  for (int s = 0; s < sequences; ++s) {
    const std::size_t at = std::size_t(s) * query_heads * width;
    cache.compare(verdict, &found[at], &q[at], s, keys[s]);
  }
  return verdict.said();
}

template <class T>
int prefill(const char* name, const std::vector<int>& queries, const std::vector<int>& keys) {
  using Parameters = flashinfer::BatchPrefillPagedParams<T, T, T, int>;
  constexpr int rows = 64;  // queries times heads of a group
  checked::Random random;
  const Cache<T> cache(keys, random);
  std::vector<int> first{0}, request, of_queries;
  for (int s = 0; s < int(queries.size()); ++s) {
    first.push_back(first.back() + queries[s]);
    for (int t = 0; t < (queries[s] * of_group + rows - 1) / rows; ++t)
      request.push_back(s), of_queries.push_back(t);
  }
  const auto q = checked::random_numbers<T>(std::size_t(first.back()) * query_heads * width, random);
  T* const out = checked::unwritten<T>(q.size());
  Parameters p(checked::on_device(q), cache.on_device(), nullptr, checked::on_device(first), nullptr, nullptr,
               out, nullptr, nullptr, query_heads, query_heads * width, width, -1, 0,
               1 / std::sqrt(float(width)), 1, 1e4);
  p.padded_batch_size = std::uint32_t(request.size());
  p.request_indices = checked::on_device(request), p.qo_tile_indices = checked::on_device(of_queries);
  p.kv_tile_indices = checked::on_device(std::vector<int>(request.size()));
  p.o_indptr = p.q_indptr, p.kv_chunk_size_ptr = checked::on_device(std::vector{1 << 20});
  p.max_total_num_rows = std::uint32_t(first.back());
  checked::Verdict verdict(name);
  const cudaError_t launched =
      flashinfer::BatchPrefillWithPagedKVCacheDispatched<true, rows, width, width,
                                                         flashinfer::PosEncodingMode::kNone, false,
                                                         flashinfer::MaskMode::kCausal, Variant>(
          p, static_cast<T*>(nullptr), nullptr, false, nullptr);
  checked::succeed(launched, "launch");
  verdict.wait();
  const auto found = checked::from_device(out, q.size());
  for (int s = 0; s < int(queries.size()); ++s)
    for (int i = 0; i < queries[s]; ++i) {
      const std::size_t at = std::size_t(first[s] + i) * query_heads * width;
      cache.compare(verdict, &found[at], &q[at], s, keys[s] - queries[s] + i + 1);
    }
  return verdict.said();
}

}  // namespace

int main() {
#if GROUP == 0
  return decode<half>("f16, one query, whole", {77, 5, 200}, 0) |
         decode<half>("f16, one query, chunks of 64 keys", {77, 5, 200}, 64);
#elif GROUP == 1
  return prefill<nv_bfloat16>("bf16, causal", {40, 7, 64}, {100, 7, 150});
#else
#error "GROUP is 0 or 1"
#endif
}
