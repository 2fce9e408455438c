// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Multi-head latent attention for sm_100a, of FlashInfer's generated sources: keys of 512 + 64 numbers in
// pages, of which the first 512 are values. -DGROUP=0: Kimi K3's of e4m3, 16 rows a block, keys in two parts
// that a second kernel merges; 1: of bf16 and 128 heads by pairs of blocks, each with a quarter of the
// values, and with sinks.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <math_constants.h>
// Each of the sources has helpers of the same names.
#if GROUP == 0
namespace attention {
#include <cake_kimi_k3_mla/cake_kimi_k3_mla_fp8_paged_attention_b0d0c47e81edc26da19e_kernel.cu>
}
namespace merging {
#include <cake_kimi_k3_mla/cake_kimi_k3_mla_fp8_paged_attention_582ec28a9ab46c704912_kernel.cu>
}
#elif GROUP == 1
#include <cake_trtllm_mla_blackwell/cake_trtllm_mla_blackwell_5a25f65a14bfec7b2b1e_kernel.cu>
#else
#error "GROUP is 0 or 1"
#endif
#include "attended.hpp"

namespace {

constexpr int latent = 512, width = 576, page = GROUP == 0 ? 64 : 32;

// Queries of some sequences behind each other, and keys in pages, those of each sequence out of order.
template <class Number>
struct Paged {
  Paged(std::vector<int> queries, std::vector<int> keys, int of_heads)
      : lengths(std::move(keys)), heads(of_heads), most_pages(0), first{0} {
    for (const int count : queries) first.push_back(first.back() + count);
    for (const int count : lengths) most_pages = std::max(most_pages, (count + page - 1) / page);
    const int pages = most_pages * int(lengths.size());
    for (int i = 0; i < pages; ++i) table.push_back((i * 5 + 3) % pages);
    checked::Random random;
    q = checked::random_numbers<Number>(std::size_t(first.back()) * heads * width, random);
    k = checked::random_numbers<Number>(std::size_t(pages) * page * width, random);
    on_device_q = checked::on_device(q), on_device_k = checked::on_device(k);
    on_device_lengths = checked::on_device(lengths), on_device_first = checked::on_device(first);
    on_device_table = checked::on_device(table);
  }

  // Query t of a sequence sees all keys but those of the queries behind it.
  template <class Out>
  void compare(checked::Verdict& verdict, const std::vector<Out>& found, const checked::Weights& weights,
               double scale, float of_values, const std::vector<float>& sinks = {}) const {
    for (std::size_t s = 0; s < lengths.size(); ++s)
      for (int t = first[s]; t < first[s + 1]; ++t)
        for (int h = 0; h < heads; ++h) {
          const std::size_t row = std::size_t(t) * heads + h;
          const auto key = [&](int j) {
            return &k[(std::size_t(table[s * most_pages + j / page]) * page + j % page) * width];
          };
          checked::compare_weighted(
              verdict, &found[row * latent], lengths[s] - (first[s + 1] - 1 - t), latent, weights,
              [&](int j) {
                checked::Score score;
                for (int c = 0; c < width; ++c)
                  score.add(scale * double(float(q[row * width + c])) * double(float(key(j)[c])));
                return score;
              },
              [&](int j) {
                std::vector<float> numbers(latent);
                for (int c = 0; c < latent; ++c) numbers[c] = float(key(j)[c]) * of_values;
                return numbers;
              },
              sinks.empty() ? -INFINITY : double(sinks[h]));
        }
  }

  std::vector<int> lengths;
  int heads, most_pages;
  std::vector<int> first, table;
  std::vector<Number> q, k;
  Number *on_device_q, *on_device_k;
  int *on_device_lengths, *on_device_first, *on_device_table;
};

#if GROUP == 0
int run(const char* name) {
  const Paged<__nv_fp8_e4m3> operands({2, 1}, {600, 150}, 8);
  const int rows = operands.first.back() * operands.heads, sequences = int(operands.lengths.size());
  constexpr int tile = 16, parts = 2;
  const auto map = [&](const __nv_fp8_e4m3* at, std::size_t numbers, unsigned columns, unsigned height) {
    return checked::map_of<2>(at, CU_TENSOR_MAP_DATA_TYPE_UINT8, {width, numbers / width}, {width},
                              {columns, height},
                              columns == 128 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B);
  };
  auto map_q = map(operands.on_device_q, operands.q.size(), 128, tile),
       map_q_turned = map(operands.on_device_q, operands.q.size(), 64, tile),
       map_k = map(operands.on_device_k, operands.k.size(), 128, page),
       map_k_turned = map(operands.on_device_k, operands.k.size(), 64, page);
  const double scale = 1 / std::sqrt(192.);
  float of_scores = float(scale / std::log(2.)), of_values = .75f;
  auto *of_parts = checked::unwritten<__nv_bfloat16>(std::size_t(rows) * parts * latent),
       *out = checked::unwritten<__nv_bfloat16>(std::size_t(rows) * latent);
  auto *largest = checked::unwritten<float>(rows * parts), *sums = checked::unwritten<float>(rows * parts);
  auto *lengths = operands.on_device_lengths, *first = operands.on_device_first,
       *table = operands.on_device_table;
  int heads = operands.heads, of_parts_count = parts, most_pages = operands.most_pages;
  void* arguments[] = {&map_q,     &map_q_turned, &map_k,   &map_k_turned,   &of_parts,
                       &largest,   &sums,         &lengths, &first,          &table,
                       &of_scores, &of_values,    &heads,   &of_parts_count, &most_pages};
  int count = sequences, tiles = 1, undivided = 0, height = tile;
  void* of_merging[] = {&of_parts, &largest,        &sums,      &out,   &first,     &count,
                        &heads,    &of_parts_count, &of_values, &tiles, &undivided, &height};
  checked::Verdict verdict(name);
  checked::launch(attention::kernel_cake_kimi_k3_mla_fp8_paged_attention_b0d0c47e81edc26da19e,
                  dim3(parts, 1, sequences), 384, 224000, arguments);
  checked::launch(merging::kernel_cake_kimi_k3_mla_fp8_paged_attention_582ec28a9ab46c704912, (rows + 1) / 2,
                  256, 0, of_merging, 1, true);
  verdict.wait();
  // Weights are multiplied by 224 or more before they are rounded, 1032 is added to a tile's scores at first,
  // of which f32 keeps 2^-14, and results of parts are rounded too.
  auto weights = checked::weights_of<__nv_fp8_e4m3>(5e-5);
  weights.least /= 224;
  weights.share += checked::weights_of<__nv_bfloat16>().share;
  operands.compare(verdict, checked::from_device(out, std::size_t(rows) * latent), weights, scale, of_values);
  return verdict.said();
}
#else
int run(const char* name) {
  const Paged<__nv_bfloat16> operands({2, 1}, {150, 300}, 128);
  // A row of pages for each query, and its own length; four pages are read at a time.
  const int queries = operands.first.back(), pages = (operands.most_pages + 3) / 4 * 4;
  std::vector<int> lengths, table;
  for (std::size_t s = 0; s < operands.lengths.size(); ++s)
    for (int t = operands.first[s]; t < operands.first[s + 1]; ++t) {
      lengths.push_back(operands.lengths[s] - (operands.first[s + 1] - 1 - t));
      for (int i = 0; i < pages; ++i)
        table.push_back(i < operands.most_pages ? operands.table[s * operands.most_pages + i] : -1);
    }
  std::vector<float> sinks(operands.heads);
  for (int h = 0; h < operands.heads; ++h) sinks[h] = float(h % 7) - 2;
  constexpr auto type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  constexpr cuuint64_t row = width * 2;
  auto map_q = checked::map_of<3>(operands.on_device_q, type, {64, operands.q.size() / width, width / 64},
                                  {row, 128}, {64, 64, 1});
  auto map_k =
      checked::map_of<4>(operands.on_device_k, type, {64, page, width / 64, operands.k.size() / width / page},
                         {row, 128, row * page}, {64, 32, 1, 1});
  auto* out = checked::unwritten<__nv_bfloat16>(std::size_t(queries) * operands.heads * latent);
  int *device_lengths = checked::on_device(lengths), *device_table = checked::on_device(table);
  float* device_sinks = checked::on_device(sinks);
  const double scale = 1 / std::sqrt(192.);
  float of_scores = float(scale / std::log(2.)), of_values = .75f;
  int parts = 4, work = queries * parts, most_pages = pages, with_sinks = 1;
  void* arguments[] = {&map_q,        &map_k,     &map_k,     &map_k, &out,   &device_lengths, &device_table,
                       &device_sinks, &of_scores, &of_values, &work,  &parts, &most_pages,     &with_sinks};
  checked::Verdict verdict(name);
  checked::launch(kernel_cake_trtllm_mla_blackwell_5a25f65a14bfec7b2b1e, unsigned(work), 384, 231424,
                  arguments, 2);
  verdict.wait();
  operands.compare(verdict, checked::from_device(out, std::size_t(queries) * operands.heads * latent),
                   checked::weights_of<__nv_bfloat16>(), scale, of_values, sinks);
  return verdict.said();
}
#endif

}  // namespace

int main() {
  constexpr const char* names[] = {"e4m3, 16 rows, two parts merged", "bf16, 128 heads with sinks"};
  return run(names[GROUP]);
}
