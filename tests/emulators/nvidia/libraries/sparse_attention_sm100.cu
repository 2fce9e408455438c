// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Attention for sm_100a of keys' blocks that a mask names, of FlashInfer's generated sources. -DGROUP=0:
// heads of 64, blocks of 128 queries and 128 keys, as a mask; 1: of e4m3 with factors, blocks of 64, as
// lists.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

// The source has types of its own with the names of CUDA's and C's.
#define int8_t cake_int8
#define uint8_t cake_uint8
#define int16_t cake_int16
#define uint16_t cake_uint16
#define int32_t cake_int32
#define uint32_t cake_uint32
#define uint64_t cake_uint64
#define CUtensorMap CakeMap
#if GROUP == 0
#include <cake_vsa/cake_vsa_head64_native.cu>
#elif GROUP != 1
#error "GROUP is 0 or 1"
#endif
#undef int8_t
#undef uint8_t
#undef int16_t
#undef uint16_t
#undef int32_t
#undef uint32_t
#undef uint64_t
#undef CUtensorMap

#if GROUP == 1
#include <cake_sage_block_sparse_attention/sm_100a/cake_sage_block_sparse_attention_attention_kernel.cu>
#endif
#include "attended.hpp"

namespace {

#if GROUP == 0
int run(const char* name) {
  using Number = __nv_bfloat16;
  constexpr int width = 64, block = 128, heads = 3, of_queries = 2, of_keys = 5;  // blocks
  constexpr int queries = of_queries * block, keys = of_keys * block;
  checked::Random random;
  const auto q = checked::random_numbers<Number>(queries * heads * width, random),
             k = checked::random_numbers<Number>(keys * heads * width, random),
             v = checked::random_numbers<Number>(keys * heads * width, random);
  std::vector<std::uint8_t> mask(heads * of_queries * of_keys);
  for (auto& selected : mask) selected = random.below(2);
  for (std::size_t row = 0; row < mask.size(); row += of_keys) mask[row + random.below(of_keys)] = 1;
  constexpr cuuint64_t row = heads * width * 2;
  auto map_q = checked::map_of<4>(checked::on_device(q), CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                  {64, queries, heads, 1}, {row, width * 2, 128}, {64, 64, 1, 1});
  const auto of_operand = [&](const std::vector<Number>& all) {
    return checked::map_of<4>(checked::on_device(all), CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, {64, keys, 1, heads},
                              {row, 128, width * 2}, {64, 64, 1, 1});
  };
  auto map_k = of_operand(k), map_v = of_operand(v);
  auto* out = checked::unwritten<Number>(q.size());
  auto* sums = checked::unwritten<float>(queries * heads);
  float* tempered = nullptr;
  auto* device_mask = checked::on_device(mask);
  int mb = of_queries, nb = of_keys, query_heads = heads, key_heads = heads, with_sums = 1, with_tempered = 0;
  const double scale = 1 / std::sqrt(double(width));
  float of_scores = float(scale / std::log(2.)), temperature = 1;
  void* arguments[] = {&map_q,     &map_k,       &map_v,       &out,       &sums,
                       &tempered,  &device_mask, &mb,          &nb,        &query_heads,
                       &key_heads, &of_scores,   &temperature, &with_sums, &with_tempered};
  checked::Verdict verdict(name);
  checked::launch(kernel_flashinfer_blackwell_vsa_head64_native_sm100, dim3(of_queries * 2, heads), THREADS,
                  SMEM_TOTAL, arguments);
  verdict.wait();
  const auto found = checked::from_device(out, q.size());
  const auto found_sums = checked::from_device(sums, queries * heads);
  for (int i = 0; i < queries; ++i)
    for (int h = 0; h < heads; ++h) {
      std::vector<int> seen;
      for (int j = 0; j < keys; ++j)
        if (mask[(h * of_queries + i / block) * of_keys + j / block]) seen.push_back(j);
      const auto* const query = &q[(i * heads + h) * width];
      const auto row_of = [&](const std::vector<Number>& all, int j) {
        return &all[(seen[j] * heads + h) * width];
      };
      const auto sum = checked::compare_weighted(
          verdict, &found[(i * heads + h) * width], int(seen.size()), width, checked::weights_of<Number>(),
          [&](int j) {
            checked::Score score;
            for (int c = 0; c < width; ++c)
              score.add(scale * double(float(query[c])) * double(float(row_of(k, j)[c])));
            return score;
          },
          [&](int j) { return row_of(v, j); });
      verdict.compare(found_sums[i * heads + h], sum.logarithm, sum.limit);
    }
  return verdict.said();
}
#else
int run(const char* name) {
  using Number = __nv_fp8_e4m3;
  constexpr int width = 128, block = 64, together = 16;
  constexpr int batch = 2, heads = 4, key_heads = 2, queries = 100, keys = 330, most = 5;
  constexpr int of_queries = (queries + block - 1) / block, of_keys = (keys + block - 1) / block,
                groups = (keys + together - 1) / together;
  checked::Random random;
  const auto q = checked::random_numbers<Number>(batch * queries * heads * width, random),
             k = checked::random_numbers<Number>(batch * keys * key_heads * width, random),
             v = checked::random_numbers<Number>(batch * keys * key_heads * width, random);
  std::vector<float> of_q(batch * heads * queries), of_k(batch * key_heads * groups),
      of_v(batch * key_heads * width);
  for (auto* const factors : {&of_q, &of_k, &of_v})
    for (float& factor : *factors) factor = float(1 + random.below(1000)) / 512;
  // Of each row of blocks which ones, and how many keys of each block count. The first row has none.
  std::vector<int> lists, counts(batch * heads * of_queries), sizes(batch * key_heads * of_keys);
  for (int& size : sizes) size = int(1 + random.below(block));
  for (int& count : counts) {
    count = &count == &counts[0] ? 0 : int(1 + random.below(most));
    std::vector<int> all(of_keys);
    for (int i = 0; i < of_keys; ++i) all[i] = i;
    for (int i = 0; i < most; ++i) {
      std::swap(all[i], all[i + random.below(of_keys - i)]);
      lists.push_back(all[i]);
    }
  }
  constexpr cuuint64_t row = width, row_of_q = heads * row, row_of_k = key_heads * row;
  auto* map_q = checked::on_device(std::vector{
      checked::map_of<4>(checked::on_device(q), CU_TENSOR_MAP_DATA_TYPE_UINT8, {width, heads, queries, batch},
                         {row, row_of_q, row_of_q * queries}, {width, 1, 64, 1})});
  const auto of_operand = [&](const std::vector<Number>& all) {
    return checked::on_device(std::vector{checked::map_of<4>(
        checked::on_device(all), CU_TENSOR_MAP_DATA_TYPE_UINT8, {width, keys, key_heads, batch},
        {row_of_k, row, row_of_k * keys}, {width, 64, 1, 1})});
  };
  auto *map_k = of_operand(k), *map_v = of_operand(v);
  auto* out = checked::unwritten<__nv_bfloat16>(q.size());
  auto* sums = checked::unwritten<float>(of_q.size());
  float *factors_q = checked::on_device(of_q), *factors_k = checked::on_device(of_k),
        *factors_v = checked::on_device(of_v);
  int *device_lists = checked::on_device(lists), *device_counts = checked::on_device(counts),
      *device_sizes = checked::on_device(sizes);
  int length_q = queries, length_k = keys, of_heads = heads, of_key_heads = key_heads, rows = of_queries,
      columns = of_keys, of_groups = groups, capacity = most, uniform = most, with_counts = 1,
      of_each_head = 3, batch_of_v = key_heads * width, tiles = batch * heads * of_queries, with_sums = 1;
  const double scale = 1 / std::sqrt(double(width));
  float of_scores = float(scale / std::log(2.));
  void* arguments[] = {&map_q,     &map_k,     &map_v,        &out,           &sums,         &factors_q,
                       &factors_k, &factors_v, &device_lists, &device_counts, &device_sizes, &length_q,
                       &length_k,  &of_heads,  &of_key_heads, &rows,          &columns,      &of_groups,
                       &capacity,  &uniform,   &with_counts,  &of_each_head,  &batch_of_v,   &tiles,
                       &of_scores, &with_sums};
  checked::Verdict verdict(name);
  checked::launch(kernel_cake_sage_block_sparse_attention_f63b7fc8674de9925f7e, tiles / 2, 512, 77824,
                  arguments);
  verdict.wait();
  const auto found = checked::from_device(out, q.size());
  const auto found_sums = checked::from_device(sums, of_q.size());
  // The source's polynomial for 2^x is off by less than 1e-4; weights are multiplied by 256 before they are
  // rounded.
  auto weights = checked::weights_of<Number>(1e-4);
  weights.least /= 256;
  for (int b = 0; b < batch; ++b)
    for (int i = 0; i < queries; ++i)
      for (int h = 0; h < heads; ++h) {
        const int of_head = b * key_heads + h / (heads / key_heads);
        const int of_row = (b * heads + h) * of_queries + i / block;
        std::vector<int> seen;
        for (int n = 0; n < counts[of_row]; ++n) {
          const int first = lists[of_row * most + n] * block;
          for (int j = first; j < std::min(keys, first + sizes[of_head * of_keys + first / block]); ++j)
            seen.push_back(j);
        }
        const auto at = [&](int j) {
          return ((b * keys + seen[j]) * key_heads + of_head % key_heads) * width;
        };
        const auto* const query = &q[((b * queries + i) * heads + h) * width];
        const auto* const result = &found[((b * queries + i) * heads + h) * width];
        const float found_sum = found_sums[(b * heads + h) * queries + i];
        if (seen.empty()) {
          for (int c = 0; c < width; ++c) verdict.compare(float(result[c]), 0, 1e-30);
          verdict.compare(found_sum == -INFINITY, 1, .5);
          continue;
        }
        const auto sum = checked::compare_weighted(
            verdict, result, int(seen.size()), width, weights,
            [&](int j) {
              checked::Score score;
              const double factor =
                  scale * of_q[(b * heads + h) * queries + i] * of_k[of_head * groups + seen[j] / together];
              for (int c = 0; c < width; ++c)
                score.add(factor * double(float(query[c])) * double(float(k[at(j) + c])));
              return score;
            },
            [&](int j) {
              std::vector<float> numbers(width);
              for (int c = 0; c < width; ++c) numbers[c] = float(v[at(j) + c]) * of_v[of_head * width + c];
              return numbers;
            });
        verdict.compare(found_sum, sum.logarithm, sum.limit);
      }
  return verdict.said();
}
#endif

}  // namespace

int main() {
  constexpr const char* names[] = {"bf16, heads of 64", "e4m3 with factors, heads of 128"};
  return run(names[GROUP]);
}
