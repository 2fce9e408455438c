// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Attention for sm_100a whose queries each name the pages of keys that they see, of FlashInfer's generated
// sources: bf16, causal, 16 heads that share keys, up to 16 pages of 128 keys.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <blackwell_msa/cake_blackwell_msa_157becb02bf3f86c12fa_kernel.cu>

#include "attended.hpp"

int main() {
  using Number = __nv_bfloat16;
  constexpr int width = 128, page = 128, key_heads = 2, heads = key_heads * FOLDED_GQA_GROUP, named = 16;
  const std::vector<int> first{0, 16, 56}, lengths{700, 300};
  const int sequences = int(lengths.size()), queries = first.back();
  constexpr int of_sequence = 6;  // pages
  const int pages = of_sequence * sequences;
  checked::Random random;
  const auto q = checked::random_numbers<Number>(std::size_t(queries) * heads * width, random),
             k = checked::random_numbers<Number>(std::size_t(pages) * key_heads * page * width, random),
             v = checked::random_numbers<Number>(k.size(), random);
  std::vector<int> table, begins{0}, offsets;
  for (int i = 0; i < pages; ++i) table.push_back((i * 5 + 3) % pages);
  for (int s = 0; s < sequences; ++s) {
    begins.push_back(begins.back() + lengths[s]);
    offsets.push_back(lengths[s] - (first[s + 1] - first[s]));
  }
  // For each head of keys and each query the pages, in any order, and -1 where there are fewer.
  std::vector<int> lists(std::size_t(key_heads) * queries * named, -1);
  std::vector<bool> seen(std::size_t(key_heads) * queries * of_sequence);
  for (std::size_t row = 0; row < lists.size() / named; ++row)
    for (int i = of_sequence - 1; i >= 0; --i)
      if (i == 0 || random.below(2) == 1) {
        lists[row * named + unsigned(i * 5 + 2) % named] = i;
        seen[row * of_sequence + i] = true;
      }
  constexpr cuuint64_t row = width * 2;
  constexpr auto type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  auto map_q = checked::map_of<4>(checked::on_device(q), type, {64, heads, cuuint64_t(queries), width / 64},
                                  {row, row * heads, 128}, {64, 16, 8, 2});
  const auto of_operand = [&](const std::vector<Number>& all) {
    return checked::map_of<4>(checked::on_device(all), type,
                              {64, page, width / 64, cuuint64_t(pages) * key_heads}, {row, 128, row * page},
                              {64, 64, 1, 1});
  };
  auto map_k = of_operand(k), map_v = of_operand(v);
  // Of factors that this kernel does not read.
  auto map_none = checked::map_of<3>(checked::unwritten<char>(1024), CU_TENSOR_MAP_DATA_TYPE_UINT8,
                                     {1024, 1, 1}, {1024, 1024}, {256, 1, 1}, CU_TENSOR_MAP_SWIZZLE_NONE);
  auto* out = checked::unwritten<Number>(q.size());
  auto *sums = checked::unwritten<float>(std::size_t(queries) * heads),
       *tempered = checked::unwritten<float>(std::size_t(queries) * heads);
  int *device_lists = checked::on_device(lists), *device_first = checked::on_device(first),
      *device_begins = checked::on_device(begins), *device_offsets = checked::on_device(offsets),
      *device_lengths = checked::on_device(lengths), *device_table = checked::on_device(table);
  int count = queries, of_heads = heads, of_key_heads = key_heads, most = named, batch = sequences,
      uniform = 0, most_pages = of_sequence, causal = 1, derived = 0, with_sums = 1, with_tempered = 1;
  const double scale = 1 / std::sqrt(double(width)), temperature = .5;
  float of_scores = float(scale / std::log(2.)), one = 1, cooled = float(temperature);
  void* arguments[] = {&map_q,         &map_k,          &map_none,       &map_v,        &map_none,
                       &out,           &sums,           &tempered,       &device_lists, &device_first,
                       &device_begins, &device_offsets, &device_lengths, &device_table, &count,
                       &of_heads,      &of_key_heads,   &most,           &batch,        &uniform,
                       &most_pages,    &causal,         &derived,        &of_scores,    &one,
                       &one,           &cooled,         &with_sums,      &with_tempered};
  checked::Verdict verdict("bf16, causal, 16 heads that share keys");
  checked::launch(kernel_cake_blackwell_msa_157becb02bf3f86c12fa,
                  dim3((queries + FOLDED_Q_TILE - 1) / FOLDED_Q_TILE + sequences - 1, key_heads), 512,
                  SMEM_TOTAL, arguments);
  verdict.wait();
  const auto found = checked::from_device(out, q.size());
  const auto found_sums = checked::from_device(sums, std::size_t(queries) * heads),
             found_tempered = checked::from_device(tempered, std::size_t(queries) * heads);
  // The source's polynomial for 2^x is off by less than 1e-4.
  const auto weights = checked::weights_of<Number>(1e-4);
  for (int s = 0; s < sequences; ++s)
    for (int t = first[s]; t < first[s + 1]; ++t)
      for (int h = 0; h < heads; ++h) {
        const int of = h / FOLDED_GQA_GROUP;
        const std::size_t at = std::size_t(t) * heads + h;
        std::vector<std::size_t> rows;
        for (int j = 0; j <= offsets[s] + t - first[s]; ++j)
          if (seen[(std::size_t(of) * queries + t) * of_sequence + j / page])
            rows.push_back(
                ((std::size_t(table[s * of_sequence + j / page]) * key_heads + of) * page + j % page) *
                width);
        std::vector<double> scores;
        const auto sum = checked::compare_weighted(
            verdict, &found[at * width], int(rows.size()), width, weights,
            [&](int j) {
              checked::Score score;
              for (int c = 0; c < width; ++c)
                score.add(scale * double(float(q[at * width + c])) * double(float(k[rows[j] + c])));
              scores.push_back(score.sum);
              return score;
            },
            [&](int j) { return &v[rows[j]]; });
        verdict.compare(found_sums[at], sum.logarithm, sum.limit);
        double total = 0;
        for (const double score : scores) total += std::exp(temperature * score);
        verdict.compare(found_tempered[at], std::log(total), sum.limit);
      }
  return verdict.said();
}
