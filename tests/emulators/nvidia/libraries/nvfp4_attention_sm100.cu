// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// FlashInfer's attention for sm_100a over keys and values of nvfp4 in pages, of which each query names up to
// 16, by its own launchers. -DGROUP=0: many queries, products of bf16; weights are of 2^(x - 32), and a tile
// that this is not right for is computed anew; 1: one query of a sequence, products of e4m3.
#include "launcher.hpp"
#if GROUP == 0
#include <msa_prefill_nvfp4_specialized.cu>
#elif GROUP == 1
#include <msa_decode_nvfp4_specialized.cu>
#else
#error "GROUP is 0 or 1"
#endif
#include "attended.hpp"
#include "nvfp4.hpp"

namespace {

using checked::View;

constexpr int width = 128, page = 128, group = 16, named = 16, of_factor = 16;

// A page has for each head keys, then their factors, values, and theirs.
struct Cache {
  Cache(int of_pages, int of_heads, checked::Random& random)
      : pages(of_pages),
        heads(of_heads),
        region(heads * page * (width / 2 + width / of_factor)),
        bytes(std::size_t(pages) * region * 2) {
    for (auto& byte : bytes) byte = std::uint8_t(random.below(256));
    for (std::size_t of = 0; of < std::size_t(pages) * 2; ++of)
      for (std::size_t i = heads * page * width / 2; i < region; ++i)
        bytes[of * region + i] = __nv_fp8_e4m3(float(1 + random.below(15)) / 8).__x;
    on_device = checked::on_device(bytes);
  }

  // Number c of key or value j of a page, for a head.
  double at(bool value, std::size_t of_page, int head, int j, int c) const {
    const std::uint8_t* const first = &bytes[(of_page * 2 + value) * region];
    const auto* const factors = first + heads * page * width / 2 + head * page * (width / of_factor);
    const int block = c / of_factor;
    const int where = value ? (j / 4 * 4 + block / 2) * 8 + block % 2 * 4 + j % 4 : j * 8 + block;
    const unsigned both = first[(head * page + j) * width / 2 + c / 2];
    return checked::of_e2m1(both >> c % 2 * 4) * checked::of_e4m3(factors[where]);
  }
  View numbers(bool value) const {
    return View(on_device + value * region, checked::type_of<std::uint8_t>, {pages, heads, page, width / 2},
                {std::int64_t(region) * 2, page * width / 2, width / 2, 1});
  }
  View factors(bool value) const {
    return View(on_device + value * region + heads * page * width / 2, checked::type_of<std::uint8_t>,
                {pages, heads, page, width / of_factor},
                {std::int64_t(region) * 2, page * width / of_factor, width / of_factor, 1});
  }

  int pages, heads;
  std::size_t region;  // half of a page, in bytes
  std::vector<std::uint8_t> bytes;
  std::uint8_t* on_device;
};

// Queries of sequences behind each other, which see keys up to their own, of the pages that they name.
struct Operands {
  // Of each sequence so many pages are told as `of_row` says, or as the longest one has.
  Operands(std::vector<int> queries, std::vector<int> keys, int heads, int of_row = 0)
      : first{0}, lengths(std::move(keys)), most_pages(0), cache(0, 0, random) {
    for (const int count : queries) first.push_back(first.back() + count);
    for (const int count : lengths) most_pages = std::max(most_pages, (count + page - 1) / page);
    const int pages = most_pages * int(lengths.size());
    width_of_table = std::max(of_row, most_pages);
    table.assign(lengths.size() * width_of_table, 0);
    for (int i = 0; i < pages; ++i)
      table[i / most_pages * width_of_table + i % most_pages] = (i * 5 + 3) % pages;
    cache = Cache(pages, heads, random);
    // Kernels of e4m3 round queries to it, which changes none of these.
    for (const auto number :
         checked::random_numbers<__nv_fp8_e4m3>(std::size_t(first.back()) * heads * group * width, random))
      q.emplace_back(float(number));
    lists.assign(std::size_t(heads) * first.back() * named, -1);
    seen.assign(std::size_t(heads) * first.back() * most_pages, false);
    for (std::size_t row = 0; row < lists.size() / named; ++row)
      for (int i = std::min(most_pages, named) - 1; i >= 0; --i)
        if (i == 0 || random.below(2) == 1) {
          lists[row * named + unsigned(i * 5 + 2) % named] = i;
          seen[row * most_pages + i] = true;
        }
  }

  // `weights`: how they are made of scores of which the largest is 2 to that.
  template <class WeightsOf>
  void compare(checked::Verdict& verdict, const std::vector<__nv_bfloat16>& found, const WeightsOf& weights,
               double of_scores, double of_values) const {
    const int heads = cache.heads * group;
    // What the products take: keys and values as they are, or as numbers of e4m3.
    const auto number = [&](bool value, std::size_t of_page, int head, int j, int c) {
      const double exact = cache.at(value, of_page, head, j, c);
      return GROUP == 1 ? double(float(__nv_fp8_e4m3(float(exact)))) : exact;
    };
    for (std::size_t s = 0; s < lengths.size(); ++s)
      for (int t = first[s]; t < first[s + 1]; ++t)
        for (int h = 0; h < heads; ++h) {
          const int of = h / group;
          std::vector<int> keys;
          for (int j = 0; j <= lengths[s] - (first[s + 1] - t); ++j)
            if (seen[(std::size_t(of) * first.back() + t) * most_pages + j / page]) keys.push_back(j);
          const std::size_t at = (std::size_t(t) * heads + h) * width;
          const auto of_page = [&](int j) { return std::size_t(table[s * width_of_table + keys[j] / page]); };
          std::vector<checked::Score> scores(keys.size());
          double largest = -INFINITY;
          for (std::size_t j = 0; j < keys.size(); ++j) {
            for (int c = 0; c < width; ++c)
              scores[j].add(of_scores * double(float(q[at + c])) *
                            number(false, of_page(int(j)), of, keys[j] % page, c));
            largest = std::max(largest, scores[j].sum);
          }
          checked::compare_weighted(
              verdict, &found[at], int(keys.size()), width, weights(largest / std::log(2.)),
              [&](int j) { return scores[j]; },
              [&](int j) {
                std::vector<double> numbers(width);
                for (int c = 0; c < width; ++c)
                  numbers[c] = of_values * number(true, of_page(j), of, keys[j] % page, c);
                return numbers;
              });
        }
  }

  checked::Random random;
  std::vector<int> first, lengths;
  int most_pages, width_of_table;
  std::vector<int> table, lists;
  std::vector<bool> seen;
  std::vector<__nv_bfloat16> q;
  Cache cache;
};

#if GROUP == 0
int run(const char* name, double scale) {
  const Operands of({20, 40}, {700, 300}, 1);
  const std::int64_t queries = of.first.back(), heads = of.cache.heads * group;
  auto* out = checked::unwritten<__nv_bfloat16>(of.q.size());
  const double of_keys = .5, of_values = .75;
  checked::Verdict verdict(name);
  msa_prefill_nvfp4_specialized(
      View(checked::on_device(of.q), {queries, heads, width}), of.cache.numbers(false),
      of.cache.numbers(true), of.cache.factors(false), of.cache.factors(true),
      View(checked::on_device(of.lists), {of.cache.heads, queries, named}),
      View(checked::on_device(of.first), {std::int64_t(of.first.size())}),
      View(checked::on_device(of.table), {std::int64_t(of.lengths.size()), of.width_of_table}),
      View(checked::on_device(of.lengths), {std::int64_t(of.lengths.size())}),
      View(out, {queries, heads, width}), scale, of_keys, of_values);
  verdict.wait();
  // A tile with too large a sum begins anew, and 2^(x - y) of a larger y: where that is less than 2^-149,
  // which f32 has not, sums of up to 2^112 are lost, beside 2^-16 of the new largest.
  const auto weights = [](double largest) {
    auto of = checked::weights_of<__nv_bfloat16>();
    of.least = largest < 100 ? std::ldexp(of.least, 32) * std::exp2(-largest) : std::exp2(112 - 149 + 16);
    return of;
  };
  of.compare(verdict, checked::from_device(out, of.q.size()), weights, scale * of_keys, of_values);
  return verdict.said();
}
#else
int run(const char* name, const Operands& of, int queries_of_each, int causal) {
  const std::int64_t queries = of.first.back(), heads = of.cache.heads * group;
  auto* out = checked::unwritten<__nv_bfloat16>(of.q.size());
  const double scale = 1 / std::sqrt(double(width)), of_keys = .5, of_values = .75;
  checked::Verdict verdict(name);
  msa_decode_nvfp4_specialized(
      View(checked::on_device(of.q), {queries, heads, width}), of.cache.numbers(false),
      of.cache.numbers(true), of.cache.factors(false), of.cache.factors(true),
      View(checked::on_device(of.lists), {of.cache.heads, queries, named}),
      View(checked::on_device(of.table), {std::int64_t(of.lengths.size()), of.width_of_table}),
      View(checked::on_device(of.lengths), {std::int64_t(of.lengths.size())}),
      View(out, {queries, heads, width}), queries_of_each, causal, scale, of_keys, of_values, -1);
  verdict.wait();
  // The largest weight is 32 or more before they are rounded.
  const auto weights = [](double) {
    auto of = checked::weights_of<__nv_fp8_e4m3>();
    of.least /= 32;
    return of;
  };
  of.compare(verdict, checked::from_device(out, of.q.size()), weights, scale * of_keys, of_values);
  return verdict.said();
}
#endif

}  // namespace

int main() {
#if GROUP == 1
  // Of many sequences, with this many heads, the launcher takes another kernel.
  std::vector<int> lengths;
  for (int i = 0; i < 33; ++i) lengths.push_back(i == 3 ? 2000 : 40 + i * 17);
  return run("e4m3 by nvfp4, two queries of a sequence", Operands({2, 2}, {700, 300}, 1), 2, 1) |
         run("e4m3 by nvfp4, one query", Operands({1, 1}, {700, 300}, 1), 1, 0) |
         run("e4m3 by nvfp4, 33 sequences, 64 heads", Operands(std::vector<int>(33, 1), lengths, 4, 128), 1,
             1);
#else
  const int usual = run("bf16 by nvfp4", 1 / std::sqrt(double(width)));
  return run("bf16 by nvfp4, large scores", 2) | usual;
#endif
}
