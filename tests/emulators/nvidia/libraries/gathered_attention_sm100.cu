// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Attention for sm_100a whose queries each name the rows that they see, which TMA gathers four at a time, of
// FlashInfer's generated sources for DeepSeek V4: bf16, 512 numbers a row, which are keys and values, up to
// 128 rows.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <cake_dsv4/common/cake_dsv4_bf16_h16_h32_swa128_v44_kernel.cu>

#include "attended.hpp"

int main() {
  using Number = __nv_bfloat16;
  constexpr int width = 512, heads = 32, most = 128, rows = 700;
  const std::vector<int> first{0, 3, 7},
      lengths{90, 400};  // a sequence's keys, of which queries see the last 128
  const int sequences = int(lengths.size()), queries = first.back();
  checked::Random random;
  const auto q = checked::random_numbers<Number>(std::size_t(queries) * heads * width, random),
             k = checked::random_numbers<Number>(std::size_t(rows) * width, random);
  std::vector<int> lists, counts;
  for (int t = 0; t < queries; ++t) {
    counts.push_back(t == 4 ? 77 : most);
    for (int i = 0; i < most; ++i) lists.push_back(i < counts.back() ? int(random.below(rows)) : -1);
  }
  std::vector<float> sinks(heads);
  for (int h = 0; h < heads; ++h) sinks[h] = float(h % 7) - 2;
  constexpr cuuint64_t row = width * 2;
  constexpr auto type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  auto map_q = checked::map_of<4>(checked::on_device(q), type, {64, heads, width / 64, cuuint64_t(queries)},
                                  {row, 128, row * heads}, {64, 64, 1, 1});
  auto map_k = checked::map_of<2>(checked::on_device(k), type, {width, rows}, {row}, {64, 1});
  auto* out = checked::unwritten<Number>(q.size());
  const double scale = 1 / std::sqrt(double(width));
  const float given_scale = float(scale), of_values = .75f;
  int *device_lists = checked::on_device(lists), *of_others = nullptr,
      *device_counts = checked::on_device(counts), *device_lengths = checked::on_device(lengths),
      *device_first = checked::on_device(first);
  float *device_sinks = checked::on_device(sinks),
        *device_scale = checked::on_device(std::vector{given_scale}),
        *device_of_values = checked::on_device(std::vector{of_values});
  int of_heads = heads, pitch = most, pitch_of_others = 0, more = 0, capacity = most, with_sinks = 1,
      ragged = 1, longest = 4, batch = sequences;
  void* arguments[] = {&map_q,
                       &map_k,
                       &out,
                       &device_lists,
                       &of_others,
                       &device_counts,
                       &device_lengths,
                       &device_first,
                       &device_sinks,
                       &device_scale,
                       &device_of_values,
                       &of_heads,
                       &pitch,
                       &pitch_of_others,
                       &more,
                       &capacity,
                       &with_sinks,
                       &ragged,
                       &longest,
                       &batch};
  checked::Verdict verdict("bf16, 32 heads with sinks");
  checked::launch(kernel_cake_dsv4_417b7986b17546cae356, unsigned(queries) * 4, 384, 198528, arguments);
  verdict.wait();
  const auto found = checked::from_device(out, q.size());
  for (int s = 0; s < sequences; ++s)
    for (int t = first[s]; t < first[s + 1]; ++t) {
      const int seen = std::min({counts[t], most, lengths[s] - (first[s + 1] - 1 - t)});
      for (int h = 0; h < heads; ++h) {
        const auto at = (std::size_t(t) * heads + h) * width;
        const auto key = [&](int j) { return &k[std::size_t(lists[t * most + j]) * width]; };
        checked::compare_weighted(
            verdict, &found[at], seen, width, checked::weights_of<Number>(),
            [&](int j) {
              checked::Score score;
              for (int c = 0; c < width; ++c)
                score.add(scale * double(float(q[at + c])) * double(float(key(j)[c])));
              return score;
            },
            [&](int j) {
              std::vector<float> numbers(width);
              for (int c = 0; c < width; ++c) numbers[c] = float(key(j)[c]) * of_values;
              return numbers;
            },
            double(sinks[h]));
      }
    }
  return verdict.said();
}
