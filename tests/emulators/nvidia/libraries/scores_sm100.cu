// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Scores by which keys are chosen, of FlashInfer's experimental sources for sm_100a after DeepGEMM's: the sum
// over heads of a weight times what is positive of query times key. -DGROUP=0: e4m3, 64 heads, two queries of
// a sequence, pages of 64 keys and behind them their factors.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <math_constants.h>
#if GROUP == 0
#include <experimental/deepgemm_dense_mqa/generated/cake_deepgemm_dense_mqa_3eb5fdde04a2d8d733d7_kernel.cu>
#else
#error "GROUP is 0"
#endif
#include <cstring>

#include "attended.hpp"

namespace {

int run(const char* name) {
  using Number = __nv_fp8_e4m3;
  constexpr int width = 128, heads = K_NUM_HEADS, together = K_NEXT_N, page = K_BLOCK_KV;
  constexpr int bytes = page * (width + 4);                    // of a page
  const std::vector<int> lengths{300, 301, 65, 66, 513, 514};  // what each query sees
  const int queries = int(lengths.size()), sequences = queries / together;
  constexpr int most_pages = 12, pitch = 768, pages = 40;
  checked::Random random;
  const auto q = checked::random_numbers<Number>(std::size_t(queries) * heads * width, random),
             k = checked::random_numbers<Number>(std::size_t(pages) * page * width, random);
  std::vector<float> weights(queries * heads), factors(pages * page);
  for (float& weight : weights) weight = random.small();
  for (float& factor : factors) factor = float(1 + random.below(1000)) / 512;
  std::vector<std::uint8_t> cache(std::size_t(pages) * bytes);
  for (int i = 0; i < pages; ++i) {
    std::memcpy(&cache[i * bytes], &k[i * page * width], page * width);
    std::memcpy(&cache[i * bytes + page * width], &factors[i * page], page * 4);
  }
  std::vector<int> table(sequences * most_pages);
  for (int i = 0; i < int(table.size()); ++i) table[i] = (i * 7 + 3) % pages;
  const auto* const device_cache = checked::on_device(cache);
  auto map_q = checked::map_of<2>(checked::on_device(q), CU_TENSOR_MAP_DATA_TYPE_UINT8,
                                  {width, cuuint64_t(queries) * heads}, {width}, {width, together * heads});
  auto map_k = checked::map_of<3>(device_cache, CU_TENSOR_MAP_DATA_TYPE_UINT8, {width, page, pages},
                                  {width, bytes}, {width, page, 1});
  auto map_factors = checked::map_of<2>(device_cache, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, {bytes / 4, pages},
                                        {bytes}, {page, 1}, CU_TENSOR_MAP_SWIZZLE_NONE);
  auto map_weights = checked::map_of<2>(checked::on_device(weights), CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                                        {heads, cuuint64_t(queries)}, {heads * 4}, {heads, together},
                                        CU_TENSOR_MAP_SWIZZLE_NONE);
  auto* scores = checked::unwritten<float>(std::size_t(queries) * pitch);
  int *device_lengths = checked::on_device(lengths), *device_table = checked::on_device(table);
  int pitch_of_table = most_pages, batch = sequences, blocks = 4, pitch_of_scores = pitch;
  void* arguments[] = {&map_q,  &map_k,          &map_factors,    &map_weights,
                       &scores, &device_lengths, &device_table,   &pitch_of_table,
                       &batch,  &blocks,         &pitch_of_scores};
  checked::Verdict verdict(name);
  checked::launch(kernel_cake_deepgemm_dense_mqa_3eb5fdde04a2d8d733d7, unsigned(blocks), 384, SMEM_TOTAL,
                  arguments, 1, true);
  verdict.wait();
  const auto found = checked::from_device(scores, std::size_t(queries) * pitch);
  for (int t = 0; t < queries; ++t) {
    // Of 256 keys at a time those that the last query of the sequence does not see are -INFINITY.
    const int last = lengths[t / together * together + together - 1];
    for (int j = 0; j < (last + 255) / 256 * 256; ++j) {
      const float result = found[t * pitch + j];
      if (j >= lengths[t]) {
        verdict.compare(result == -INFINITY, 1, .5);
        continue;
      }
      const std::size_t row = std::size_t(table[t / together * most_pages + j / page]) * page + j % page;
      double sum = 0, size = 0;
      for (int h = 0; h < heads; ++h) {
        checked::Score score;
        for (int c = 0; c < width; ++c)
          score.add(double(float(q[(t * heads + h) * width + c])) * double(float(k[row * width + c])));
        sum += std::max(score.sum, 0.) * weights[t * heads + h];
        size += score.size * std::fabs(weights[t * heads + h]);
      }
      verdict.compare(result, sum * factors[row], 2e-6 * size * factors[row]);
    }
  }
  return verdict.said();
}

}  // namespace

int main() {
  constexpr const char* names[] = {"e4m3, 64 heads, keys in pages"};
  return run(names[GROUP]);
}
