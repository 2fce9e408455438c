// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernels for sm_100a that FlashInfer has as generated sources, one of a family. -DGROUP=0: grouped products
// of e4m3, as many rows of each group as it says, with a scale factor for a row of A and for 128 columns of
// B; 1: products of bf16 and nvfp4, which threads widen; 2: of a gated delta network cut into chunks the
// states between them, S := S M + N; 3: of Kimi's
// delta attention what each token reads of its part's state; 4: attention of a few queries, keys and values
// of e4m3 in pages.
#if GROUP == 0
#include <cake_batch_deepgemm_fp8/cake_batch_deepgemm_fp8_f2d3d7cdd838fe7ef523_kernel.cu>
#elif GROUP == 1
#include <blackwell_bf16_fp4/cake_blackwell_bf16_fp4_2617427744020a3b80b0_kernel.cu>
#elif GROUP == 2
#include <gdn/gdn_cp/cake_gdn_cp_dd2c081134dd8b47073c_kernel.cu>
#elif GROUP == 3
#include <kda/tf32/cake_kda_tf32_4434066f7f1b6aae62ab53df58e3987bf70dc53d8c5a87d196461674cbcf4a9e_kernel.cu>
#elif GROUP == 4
#define NUM_Q_HEADS 32
#define NUM_KV_HEADS 2
#define Q_LEN 2
#define CP_WORLD 1
#define NUM_SPLIT 1
#include <cake_fmha/cuda/dcp_spec/cake_cake_fmha_dcp_spec_608a53a1b95e91265bfb_kernel.cu>
#else
#error "GROUP is 0 to 4"
#endif
#include <cuda_fp16.h>

#include "attended.hpp"

namespace {

using checked::map_of;

template <class Kernel>
void launch(Kernel* kernel, dim3 grid, unsigned threads, void** arguments) {
  checked::launch(kernel, grid, threads, SMEM_TOTAL, arguments);
}

#if GROUP == 0
int run(const char* name) {
  constexpr unsigned groups = 3, m = 256, n = 256, k = 128, tile = 128, of_n = n / tile;
  checked::Random random;
  const auto a = checked::random_numbers<__nv_fp8_e4m3>(groups * m * k, random),
             b = checked::random_numbers<__nv_fp8_e4m3>(groups * n * k, random);
  std::vector<float> of_a(groups * m), of_b(groups * of_n);
  for (auto* const factors : {&of_a, &of_b})
    for (float& factor : *factors) factor = float(1 + random.below(1000)) / 512;
  const std::vector<int> rows{200, 0, 77};
  __nv_bfloat16* const device_c = checked::unwritten<__nv_bfloat16>(groups * m * n);
  const auto of_operand = [&](const std::vector<__nv_fp8_e4m3>& numbers, unsigned height) {
    return map_of<4>(checked::on_device(numbers), CU_TENSOR_MAP_DATA_TYPE_UINT8, {k, height, 1, groups},
                     {k, k, std::uint64_t(height) * k}, {k, tile, 1, 1}, CU_TENSOR_MAP_SWIZZLE_128B);
  };
  auto map_a = of_operand(a, m), map_b = of_operand(b, n);
  auto map_c = map_of<3>(device_c, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, {n, m, groups}, {n * 2, m * n * 2},
                         {64, tile, 1}, CU_TENSOR_MAP_SWIZZLE_NONE);
  float *factors_a = checked::on_device(of_a), *factors_b = checked::on_device(of_b);
  int* device_rows = checked::on_device(rows);
  unsigned count = groups, height = m, tiles = of_n;
  void* arguments[] = {&map_a, &map_b, &map_c, &factors_a, &factors_b, &device_rows, &count, &height, &tiles};
  unsigned blocks = 1;  // more than there are tiles
  for (const int of_group : rows) blocks += (of_group + tile - 1) / tile * of_n;
  checked::Verdict verdict(name);
  launch(kernel_cake_batch_deepgemm_fp8_f2d3d7cdd838fe7ef523, blocks, THREADS, arguments);
  verdict.wait();
  const auto c = checked::from_device(device_c, groups * m * n);
  for (unsigned g = 0; g < groups; ++g)
    for (unsigned i = 0; i < unsigned(rows[g]); ++i)
      for (unsigned j = 0; j < n; ++j) {
        double sum = 0, size = 0;
        const double factor = double(of_a[g * m + i]) * of_b[g * of_n + j / tile];
        for (unsigned l = 0; l < k; ++l) {
          const double term =
              factor * double(float(a[(g * m + i) * k + l])) * double(float(b[(g * n + j) * k + l]));
          sum += term, size += std::fabs(term);
        }
        verdict.compare(float(c[(g * m + i) * n + j]), sum,
                        checked::rounded<__nv_bfloat16>(sum, 1e-6, 2e-6 * size));
      }
  return verdict.said();
}
#elif GROUP == 1
int run(const char* name) {
  constexpr unsigned m = 37, n = 136, k = 512, together = 16;
  constexpr double of_fp4[] = {0, .5, 1, 1.5, 2, 3, 4, 6};
  checked::Random random;
  const auto a = checked::random_numbers<__nv_bfloat16>(m * k, random);
  std::vector<std::uint8_t> b(n * k / 2), factors(n * k / together);
  for (auto& byte : b) byte = std::uint8_t(random.below(256));
  for (auto& factor : factors) factor = __nv_fp8_e4m3(float(1 + random.below(15)) / 4).__x;
  __half* device_c = checked::unwritten<__half>(m * n);
  auto map_a = map_of<2>(checked::on_device(a), CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, {k, m}, {k * 2}, {64, 16},
                         CU_TENSOR_MAP_SWIZZLE_128B);
  auto map_b = map_of<2>(checked::on_device(b), CU_TENSOR_MAP_DATA_TYPE_UINT8, {k / 2, n}, {k / 2}, {32, 64},
                         CU_TENSOR_MAP_SWIZZLE_NONE);
  auto map_factors = map_of<2>(checked::on_device(factors), CU_TENSOR_MAP_DATA_TYPE_UINT8, {k / together, n},
                               {k / together}, {16, 64}, CU_TENSOR_MAP_SWIZZLE_NONE);
  float* whole = checked::on_device(std::vector{1.f});
  int height = m, width = n, depth = k;
  void* arguments[] = {&map_a, &map_b, &map_factors, &whole, &device_c, &height, &width, &depth};
  checked::Verdict verdict(name);
  launch(kernel_cake_blackwell_bf16_fp4_2617427744020a3b80b0, dim3((n + 63) / 64, (m + 15) / 16), 512,
         arguments);
  verdict.wait();
  const auto c = checked::from_device(device_c, m * n);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j) {
      double sum = 0, size = 0;
      for (unsigned l = 0; l < k; ++l) {
        const unsigned nibble = b[(j * k + l) / 2] >> l % 2 * 4 & 15;
        __nv_fp8_e4m3 factor;
        factor.__x = factors[(j * k + l) / together];
        const double term =
            double(float(a[i * k + l])) * double(float(factor)) * of_fp4[nibble % 8] * (nibble < 8 ? 1 : -1);
        sum += term, size += std::fabs(term);
      }
      verdict.compare(float(c[i * n + j]), sum, checked::rounded<__half>(sum, 0, 2e-6 * size));
    }
  return verdict.said();
}
#elif GROUP == 2
int run(const char* name) {
  constexpr unsigned heads = 2, width = 128, numbers = width * width, together = 32;
  constexpr int chunk = 64, places = 8;
  const std::vector<long long> first{0, 150, 150, 214};  // of each sequence; the second one has no chunk
  const int sequences = int(first.size()) - 1;
  checked::Random random;
  // Few numbers of a column of M are there, and all sums stay exact in tf32.
  std::vector<float> transfer(places * heads * numbers), state(transfer.size()),
      initial(sequences * heads * numbers);
  for (float& x : initial) x = float(int(random.below(9)) - 4);
  for (float& x : state) x = float(int(random.below(9)) - 4) / 2;
  for (std::size_t column = 0; column < transfer.size() / width; ++column)
    for (int i = 0; i < 3; ++i)
      transfer[column / width * numbers + random.below(width) * width + column % width] =
          random.below(2) == 0 ? .5f : -.5f;
  const auto map = [&](const std::vector<float>& all, CUtensorMapSwizzle swizzle) {
    constexpr cuuint64_t row = width * 4;
    return map_of<5>(checked::on_device(all), CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                     {together, width, width / together, heads, places},
                     {row, together * 4, row * width, row * width * heads},
                     {together, width, width / together, 1, 1}, swizzle);
  };
  auto of_transfer = map(transfer, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B);
  auto of_state = map(state, CU_TENSOR_MAP_SWIZZLE_128B);
  float *device_initial = checked::on_device(initial), *copied = checked::unwritten<float>(initial.size()),
        *fixed = checked::unwritten<float>(state.size()), *last = checked::unwritten<float>(initial.size());
  auto* device_first = checked::on_device(first);
  int chunk_length = chunk, chunks = places, of_sequences = sequences, of_heads = heads;
  void* arguments[] = {&of_transfer,  &of_state,     &device_initial, &copied,       &fixed,   &last,
                       &device_first, &chunk_length, &chunks,         &of_sequences, &of_heads};
  checked::Verdict verdict(name);
  launch(kernel_cake_gdn_cp_dd2c081134dd8b47073c, unsigned(sequences) * heads, 256, arguments);
  verdict.wait();
  const auto found = checked::from_device(fixed, state.size()),
             ends = checked::from_device(last, initial.size());
  for (int s = 0; s < sequences; ++s)
    for (unsigned h = 0; h < heads; ++h) {
      const int count = int(first[s + 1] - first[s] + chunk - 1) / chunk;
      const long long before = std::min<long long>(s, first[s]);
      const long long begin = before + (first[s] - before) / chunk;
      const std::size_t of_head = (s * heads + h) * numbers;
      std::vector<double> now(initial.begin() + of_head, initial.begin() + of_head + numbers);
      for (int c = 0; c < count; ++c) {
        const std::size_t at = ((begin + c) * heads + h) * numbers;
        std::vector<double> next(numbers);
        for (unsigned i = 0; i < width; ++i)
          for (unsigned j = 0; j < width; ++j) {
            double& sum = next[i * width + j] = state[at + i * width + j];
            for (unsigned l = 0; l < width; ++l) sum += now[i * width + l] * transfer[at + l * width + j];
          }
        now = next;
        for (unsigned i = 0; i < numbers; ++i) verdict.compare(found[at + i], now[i], 1e-30);
      }
      for (unsigned i = 0; count > 0 && i < numbers; ++i) verdict.compare(ends[of_head + i], now[i], 1e-30);
    }
  return verdict.said();
}
#elif GROUP == 3
int run(const char* name) {
  constexpr unsigned heads = 3, width = 128, tokens = 300, parts = 4, together = 32;
  // Chunks of tokens: where each begins, how many it has, and whose state it reads.
  const std::vector<int> starts{0, 128, 200}, counts{128, 72, 100}, part{3, 0, 1};
  checked::Random random;
  std::vector<float> coefficients(tokens * heads * width), carry(parts * heads * width * width);
  for (auto* const all : {&coefficients, &carry})
    for (float& x : *all) x = float(int(random.below(257)) - 128) / 64;  // exact in tf32
  __nv_bfloat16* out = checked::unwritten<__nv_bfloat16>(coefficients.size());
  float *device_coefficients = checked::on_device(coefficients), *device_carry = checked::on_device(carry);
  constexpr cuuint64_t row = width * 4, panel = together * 4;
  const auto swizzle = CU_TENSOR_MAP_SWIZZLE_128B;
  const auto map_carry = map_of<5>(
      device_carry, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, {together, width, heads, width / together, parts},
      {row, row * width, panel, row * width * heads}, {together, width, 1, 2, 1}, swizzle);
  const auto map_coefficients = map_of<5>(
      device_coefficients, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, {together, tokens, heads, width / together, 1},
      {row * heads, row, panel, row * heads * tokens}, {together, width, 1, 2, 1}, swizzle);
  const auto* of_carry = checked::on_device(std::vector{map_carry});
  const auto* of_coefficients = checked::on_device(std::vector{map_coefficients});
  int *device_starts = checked::on_device(starts), *device_counts = checked::on_device(counts),
      *device_part = checked::on_device(part);
  int of_heads = heads;
  void* arguments[] = {&device_carry,  &of_carry,      &device_coefficients, &of_coefficients, &out,
                       &device_starts, &device_counts, &device_part,         &of_heads};
  checked::Verdict verdict(name);
  launch(kernel_cake_kda_tf32_4434066f7f1b6aae62ab53df58e3987bf70dc53d8c5a87d196461674cbcf4a9e,
         unsigned(starts.size()) * heads, THREADS, arguments);
  verdict.wait();
  const auto found = checked::from_device(out, coefficients.size());
  for (std::size_t c = 0; c < starts.size(); ++c)
    for (int t = starts[c]; t < starts[c] + counts[c]; ++t)
      for (unsigned h = 0; h < heads; ++h)
        for (unsigned j = 0; j < width; ++j) {
          const std::size_t at = (std::size_t(t) * heads + h) * width;
          double sum = 0, size = 0;
          for (unsigned l = 0; l < width; ++l) {
            const double term =
                double(coefficients[at + l]) * carry[((part[c] * heads + h) * width + j) * width + l];
            sum += term, size += std::fabs(term);
          }
          verdict.compare(float(found[at + j]), sum, checked::rounded<__nv_bfloat16>(sum, 0, 2e-6 * size));
        }
  return verdict.said();
}
#else
int run(const char* name) {
  using Number = __nv_fp8_e4m3;
  constexpr int width = HEAD_DIM, page = PAGE_SIZE, heads = NUM_Q_HEADS, key_heads = NUM_KV_HEADS;
  constexpr int pages = 4;  // of each sequence
  const std::vector<int> before{129,
                                30};  // keys that are seen by all of a sequence's queries but the last's own
  const int sequences = int(before.size());
  checked::Random random;
  // Queries are rounded to e4m3 by the kernel, which changes none of these.
  const auto q = checked::random_numbers<Number>(std::size_t(sequences) * Q_LEN * heads * width, random);
  std::vector<__nv_bfloat16> given;
  for (const Number number : q) given.emplace_back(float(number));
  const std::size_t numbers = std::size_t(sequences) * pages * key_heads * page * width;
  const auto k = checked::random_numbers<Number>(numbers, random),
             v = checked::random_numbers<Number>(numbers, random);
  std::vector<int> table(sequences * pages), lengths;
  for (int i = 0; i < int(table.size()); ++i) table[i] = int(table.size()) - 1 - i;
  for (const int keys : before) lengths.push_back(keys + Q_LEN);
  const auto map = [&](const std::vector<Number>& all) {
    return map_of<5>(checked::on_device(all), CU_TENSOR_MAP_DATA_TYPE_UINT8,
                     {width / 2, page, 2, key_heads, std::uint64_t(sequences) * pages},
                     {width, width / 2, page * width, key_heads * page * width}, {width / 2, page, 1, 1, 1},
                     CU_TENSOR_MAP_SWIZZLE_128B);
  };
  auto map_q = map_of<3>(checked::on_device(given), CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                         {64, std::uint64_t(sequences) * Q_LEN * heads, width / 64}, {width * 2, 128},
                         {64, TILE_Q, 2}, CU_TENSOR_MAP_SWIZZLE_128B);
  auto map_k = map(k), map_v = map(v);
  __nv_bfloat16 *out = checked::unwritten<__nv_bfloat16>(q.size()), *part = nullptr;
  float *logarithms = checked::unwritten<float>(q.size() / width), *of_part = nullptr;
  int *done = nullptr, *device_table = checked::on_device(table),
      *device_lengths = checked::on_device(lengths), *device_before = checked::on_device(before);
  int most_pages = pages, most_keys = pages * page, rank = 0, of_queries = heads, of_keys = key_heads,
      count = sequences;
  float scale = float(1 / std::log(2.) / std::sqrt(double(width))), whole = 1;
  void* arguments[] = {&map_q,         &map_k,      &map_v,     &part,         &of_part,
                       &out,           &logarithms, &done,      &device_table, &device_lengths,
                       &device_before, &most_pages, &most_keys, &scale,        &whole,
                       &rank,          &of_queries, &of_keys,   &count};
  checked::Verdict verdict(name);
  launch(kernel_cake_cake_fmha_dcp_spec_608a53a1b95e91265bfb, unsigned(sequences * Q_LEN * key_heads), 512,
         arguments);
  verdict.wait();
  const auto found = checked::from_device(out, q.size());
  for (int s = 0; s < sequences; ++s)
    for (int i = 0; i < Q_LEN; ++i)
      for (int h = 0; h < heads; ++h) {
        const std::size_t at = (std::size_t(s * Q_LEN + i) * heads + h) * width;
        const auto row = [&](const std::vector<Number>& all, int j) {
          const std::size_t of = table[s * pages + j / page];
          return &all[((of * key_heads + h / (heads / key_heads)) * page + j % page) * width];
        };
        checked::compare_attention(
            verdict, &found[at], &q[at], before[s] + i + 1, width, width, 1 / std::sqrt(double(width)),
            [&](int j) { return row(k, j); }, [&](int j) { return row(v, j); });
      }
  return verdict.said();
}
#endif

}  // namespace

int main() {
  constexpr const char* names[] = {
      "e4m3 by groups, 128x128x128", "bf16 by nvfp4, 64x16x64", "states between chunks, tf32 128x128x128",
      "tokens' reads of states, tf32 128x128x128", "attention of two queries, heads of 256, e4m3"};
  return run(names[GROUP]);
}
