// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Scores by which keys are chosen, of FlashInfer's experimental sources for sm_100a after DeepGEMM's: the sum
// over heads of a weight times what is positive of query times key. -DGROUP=0: e4m3, 64 heads, two queries of
// a sequence, pages of 64 keys and behind them their factors; 1: mxfp4, 32 heads, of blocks of eight keys
// that queries chose, which a kernel before it puts in order.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <math_constants.h>
#if GROUP == 0
#include <experimental/deepgemm_dense_mqa/generated/cake_deepgemm_dense_mqa_3eb5fdde04a2d8d733d7_kernel.cu>
#elif GROUP == 1
// Each of the sources has helpers of the same names.
namespace planning {
#include <experimental/deepgemm_sparse_mqa/generated/cake_deepgemm_sparse_mqa_3bfcb411f01cc76113be_kernel.cu>
}
namespace scoring {
#include <experimental/deepgemm_sparse_mqa/generated/cake_deepgemm_sparse_mqa_ff9376991950f1fcab1d_kernel.cu>
}
#else
#error "GROUP is 0 or 1"
#endif
#include <cstring>

#include "attended.hpp"

namespace {

#if GROUP == 0
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
#else
// What division by a constant is made of, after the host code.
planning::CakeFastDivmod divided_by(unsigned divisor) {
  if (divisor == 1) return {1, 0, 0};
  unsigned bits = 31;
  for (unsigned rest = divisor - 1; rest > 0; rest /= 2) ++bits;
  return {int(divisor), unsigned(((1ull << bits) + divisor - 1) / divisor), bits - 32};
}

// Rows of 128 numbers of e2m1, and for 32 of them a factor of ue8m0.
struct Rows {
  Rows(std::size_t count, checked::Random& random) : numbers(count * 64), factors(count * 4) {
    for (auto& byte : numbers) byte = std::uint8_t(random.below(256));
    for (auto& factor : factors) factor = std::uint8_t(125 + random.below(4));
  }
  double operator()(std::size_t row, int c) const {
    constexpr double of_fp4[] = {0, .5, 1, 1.5, 2, 3, 4, 6};
    const unsigned nibble = numbers[row * 64 + c / 2] >> c % 2 * 4 & 15;
    return std::ldexp(of_fp4[nibble % 8] * (nibble < 8 ? 1 : -1), factors[row * 4 + c / 32] - 127);
  }
  std::vector<std::uint8_t> numbers, factors;
};

int run(const char* name) {
  constexpr int width = 128, heads = 32, block = 8, page = 64, of_page = page / block, most = 12,
                together = 80;
  constexpr int pitch = 4608;  // bytes of a page: rows, factors, and up to a multiple of 512
  const std::vector<int> requests{0, 0, 0, 1, 1}, lengths{400, 401, 402, 41, 350};  // what each query sees
  constexpr int of_query = 7, pages = 30, blocks = 4;
  const int queries = int(lengths.size());
  checked::Random random;
  const Rows q(queries * heads, random), k(pages * page, random);
  const auto weights = checked::random_numbers<__nv_bfloat16>(queries * heads, random);
  std::vector<std::uint8_t> cache(pages * pitch, 0xff);
  for (int i = 0; i < pages; ++i) {
    std::memcpy(&cache[i * pitch], &k.numbers[i * page * 64], page * 64);
    std::memcpy(&cache[i * pitch + page * 64], &k.factors[i * page * 4], page * 4);
  }
  std::vector<int> table, lists, counts;
  for (int t = 0; t < queries; ++t) {
    for (int i = 0; i < of_query; ++i) table.push_back((requests[t] * of_query + i) * 7 % pages);
    // Blocks of eight keys that the query chose, in order, and the last one again where there are fewer.
    const int seen = (lengths[t] + block - 1) / block;
    counts.push_back(std::min(seen, most));
    int next = 0;
    for (int i = 0; i < most; ++i) {
      if (i < counts[t]) next += i == 0 ? 0 : 1 + int(random.below((seen - next - 1) - (counts[t] - i) + 1));
      lists.push_back(next);
    }
  }
  auto* device_q = checked::on_device(q.numbers);
  auto* factors_q = checked::on_device(q.factors);
  constexpr auto of_fp4 = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B;
  constexpr auto none = CU_TENSOR_MAP_SWIZZLE_NONE;
  const cuuint64_t rows = cuuint64_t(queries) * heads;
  auto map_q =
      checked::map_of<2>(device_q, of_fp4, {width, rows}, {64}, {width, 64}, CU_TENSOR_MAP_SWIZZLE_64B);
  auto map_factors = checked::map_of<2>(factors_q, CU_TENSOR_MAP_DATA_TYPE_INT32,
                                        {heads, cuuint64_t(queries)}, {heads * 4}, {heads, 2}, none);
  auto map_weights = checked::map_of<2>(checked::on_device(weights), CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                        {heads, cuuint64_t(queries)}, {heads * 2}, {heads, 2}, none);
  // Of keys that do not lie in pages: not read.
  auto map_k =
      checked::map_of<2>(device_q, of_fp4, {width, rows}, {64}, {width, 128}, CU_TENSOR_MAP_SWIZZLE_64B);
  auto map_factors_k =
      checked::map_of<2>(factors_q, CU_TENSOR_MAP_DATA_TYPE_INT32, {rows, 1}, {rows * 4}, {128, 1}, none);
  const int parts = queries * ((most + together - 1) / together);
  auto* plan = checked::unwritten<std::uint8_t>(16 + parts * (16 + together * 8) +
                                                (parts + blocks - 1) / blocks * blocks * 16);
  unsigned* workspace = checked::on_device(std::vector<unsigned>(96 + queries * 2));
  auto* scores = checked::unwritten<__nv_bfloat16>(queries * most * block);
  auto* device_cache = checked::on_device(cache);
  int *device_table = checked::on_device(table), *device_lists = checked::on_device(lists),
      *device_lengths = checked::on_device(lengths), *device_requests = checked::on_device(requests);
  unsigned count = queries, of_keys = 0, pitch_of_table = of_query, groups = queries, of_blocks = blocks,
           capacity = most, of_part = together, of_block = block, shift = 3, in_page = of_page,
           shift_of_page = 3, pitch_of_scores = most * block, pitch_of_cache = pitch;
  auto by_blocks = divided_by(blocks), by_part = divided_by(together);
  void* of_plan[] = {&device_lists,   &device_lists, &device_lengths, &device_table, &device_requests,
                     &device_lists,   &plan,         &workspace,      &count,        &of_keys,
                     &pitch_of_table, &groups,       &of_blocks,      &by_blocks,    &capacity,
                     &of_part,        &by_part,      &of_block,       &shift,        &in_page,
                     &shift_of_page};
  void* arguments[] = {&map_q,         &map_factors,     &map_weights,    &map_k,
                       &map_factors_k, &device_cache,    &factors_q,      &plan,
                       &scores,        &pitch_of_scores, &pitch_of_cache, &of_blocks};
  checked::Verdict verdict(name);
  checked::launch(planning::kernel_cake_deepgemm_sparse_mqa_3bfcb411f01cc76113be, groups, 256, 33152,
                  of_plan);
  checked::launch(scoring::kernel_cake_deepgemm_sparse_mqa_ff9376991950f1fcab1d, blocks, 896, 232448,
                  arguments);
  verdict.wait();
  const auto found = checked::from_device(scores, queries * most * block);
  // A product is rounded to bf16, and so is a sum of two of four parts of eight heads each: ten times in all.
  const double unit = checked::Rounding<__nv_bfloat16>().share;
  for (int t = 0; t < queries; ++t)
    for (int j = 0; j < counts[t] * block; ++j) {
      const int key = lists[t * most + j / block] * block + j % block;
      const std::size_t row = std::size_t(table[t * of_query + key / page]) * page + key % page;
      double sum = 0, size = 0;
      for (int h = 0; h < heads; ++h) {
        double score = 0;
        for (int c = 0; c < width; ++c) score += q(t * heads + h, c) * k(row, c);
        const double term = std::max(score, 0.) * double(float(weights[t * heads + h]));
        sum += term, size += std::fabs(term);
      }
      verdict.compare(float(found[t * most * block + j]), sum, 11 * unit * size + 1e-30);
    }
  return verdict.said();
}
#endif

}  // namespace

int main() {
  constexpr const char* names[] = {"e4m3, 64 heads, keys in pages", "mxfp4, 32 heads, chosen blocks of keys"};
  return run(names[GROUP]);
}
