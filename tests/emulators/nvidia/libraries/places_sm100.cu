// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's rotary positions, its pages of keys and values, and its packing of bits, compiled for sm_100a.
#include <flashinfer/page.cuh>
#include <flashinfer/pos_enc.cuh>
#include <flashinfer/quantization.cuh>

#include "rounded.hpp"

namespace {

// Heads of 128 numbers, of which the first `turned` turn: pairs side by side, or half of them apart.
int rotary(const char* name, bool side_by_side, int turned) {
  constexpr int tokens = 37, heads = 4, of_keys = 2, width = 128;
  constexpr double base = 1e4;
  checked::Random random;
  const auto q = checked::random_numbers<half>(std::size_t(tokens) * heads * width, random),
             k = checked::random_numbers<half>(std::size_t(tokens) * of_keys * width, random);
  std::vector<int> places(tokens);
  for (auto& place : places) place = int(random.below(60));
  half* const out_q = checked::unwritten<half>(q.size());
  half* const out_k = checked::unwritten<half>(k.size());
  checked::Verdict verdict(name);
  checked::succeed(flashinfer::BatchQKApplyRotaryPosIds(
                       checked::on_device(q), checked::on_device(k), out_q, out_k, checked::on_device(places),
                       tokens, heads, of_keys, turned, width, heads * width, width, of_keys * width, width,
                       heads * width, width, of_keys * width, width, side_by_side, 1, float(base)),
                   "BatchQKApplyRotaryPosIds");
  verdict.wait();
  const auto compare = [&](const std::vector<half>& in, const half* out, int count) {
    const auto found = checked::from_device(out, in.size());
    for (int t = 0; t < tokens; ++t)
      for (int c = 0; c < count * width; ++c) {
        const std::size_t at = std::size_t(t) * count * width + c;
        const int in_head = c % width;
        const double x = float(in[at]);
        if (in_head >= turned) {
          verdict.compare(float(found[at]), x, 1e-30);
          continue;
        }
        const bool first = side_by_side ? in_head % 2 == 0 : in_head < turned / 2;
        const int pair = side_by_side ? in_head / 2 : in_head % (turned / 2),
                  step = side_by_side ? 1 : turned / 2;
        const double y = float(in[first ? at + step : at - step]);
        const double angle = places[t] * std::pow(base, -2. * pair / turned);
        const double exact = x * std::cos(angle) + (first ? -y : y) * std::sin(angle);
        // A power and an angle of f32: up to 60, with 22 bits that are right.
        verdict.compare(float(found[at]), exact,
                        checked::rounded<half>(exact, 0, 4e-5 * (std::fabs(x) + std::fabs(y))));
      }
  };
  compare(q, out_q, heads);
  compare(k, out_k, of_keys);
  return verdict.said();
}

// Keys and values of some sequences, each at its place in its pages.
int pages(const char* name) {
  constexpr int heads = 2, width = 64, page = 8, count_of_pages = 9;
  checked::Random random;
  const std::vector<int> first_page{0, 2, 3, 7}, in_last_page{3, 8, 1}, table{5, 0, 8, 2, 1, 7, 3};
  std::vector<int> sequence, position;
  for (int s = 0; s < 3; ++s)
    for (int i = s; i < (first_page[s + 1] - first_page[s] - 1) * page + in_last_page[s]; ++i)
      sequence.push_back(s), position.push_back(i);
  const int tokens = int(sequence.size());
  const auto k = checked::random_numbers<half>(std::size_t(tokens) * heads * width, random),
             v = checked::random_numbers<half>(std::size_t(tokens) * heads * width, random);
  const std::size_t numbers = std::size_t(count_of_pages) * page * heads * width;
  const std::vector<half> empty(numbers, half(99.f));
  half *const of_k = checked::on_device(empty), *const of_v = checked::on_device(empty);
  const flashinfer::paged_kv_t<half, int> cache(
      heads, page, width, 3, flashinfer::QKVLayout::kHND, of_k, of_v, checked::on_device(table),
      checked::on_device(first_page), checked::on_device(in_last_page));
  checked::Verdict verdict(name);
  checked::succeed(flashinfer::AppendPagedKVCache(cache, checked::on_device(k), checked::on_device(v),
                                                  checked::on_device(sequence), checked::on_device(position),
                                                  tokens, heads * width, width, heads * width, width),
                   "AppendPagedKVCache");
  verdict.wait();
  const auto compare = [&](const half* there, const std::vector<half>& given) {
    std::vector<half> expected = empty;
    for (int t = 0; t < tokens; ++t)
      for (int h = 0; h < heads; ++h)
        for (int c = 0; c < width; ++c) {
          const int of = table[first_page[sequence[t]] + position[t] / page];
          expected[((std::size_t(of) * heads + h) * page + position[t] % page) * width + c] =
              given[(std::size_t(t) * heads + h) * width + c];
        }
    const auto found = checked::from_device(there, numbers);
    for (std::size_t i = 0; i < numbers; ++i) verdict.compare(float(found[i]), float(expected[i]), 1e-30);
  };
  compare(of_k, k);
  compare(of_v, v);
  return verdict.said();
}

int bits(const char* name, flashinfer::quantization::BitOrder order) {
  constexpr int count = 4999, bytes = (count + 7) / 8;
  checked::Random random;
  std::vector<std::uint8_t> in(count);
  for (auto& bit : in) bit = std::uint8_t(random.below(2));
  std::uint8_t* const out = checked::unwritten<std::uint8_t>(bytes);
  checked::Verdict verdict(name);
  checked::succeed(flashinfer::quantization::PackBits(reinterpret_cast<bool*>(checked::on_device(in)), out,
                                                      count, order, nullptr),
                   "PackBits");
  verdict.wait();
  const auto found = checked::from_device(out, bytes);
  for (int i = 0; i < bytes; ++i) {
    int expected = 0;
    for (int b = 0; b < 8 && i * 8 + b < count; ++b)
      expected |= in[i * 8 + b] << (order == flashinfer::quantization::BitOrder::kBig ? 7 - b : b);
    verdict.compare(found[i], expected, .5);
  }
  return verdict.said();
}

}  // namespace

int main() {
  using flashinfer::quantization::BitOrder;
  return rotary("rotary positions, f16, pairs side by side", true, 128) |
         rotary("rotary positions, f16, pairs apart, half of a head", false, 64) |
         pages("keys and values into pages, f16") |
         bits("bits of bytes, the first one highest", BitOrder::kBig) |
         bits("bits of bytes, the first one lowest", BitOrder::kLittle);
}
