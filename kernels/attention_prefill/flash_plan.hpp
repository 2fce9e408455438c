// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The plan of flash attention: which block takes which rows and which stretch of their keys, the longest
// stretches first. Its tiles are the rows of each request, and, over a prefix that all requests share, the
// rows of all of them.
#pragma once
#include <podium/matrix.hpp>

#include <algorithm>
#include <vector>

#include "view.hpp"

namespace attention::flash {

namespace matrix = podium::matrix;

constexpr int most_parts = 256;  // of a row

// Queries `row` to before `row + queries` (of all rows) and keys `begin` to before `end` of a request, or of
// the shared prefix.
struct Item {
  int row, queries, request, begin, end;
  int part;  // its number among those of its rows, or `whole`
};
constexpr int shared_prefix = -1, whole = -1;

struct State {  // largest score, and sum of 2^(score - peak); scores are to base 2
  float peak, total;
};

struct Plan {
  const Item* items;
  const int* counts;  // parts of each row
  float* sums;        // of each row, head and part
  State* states;
  int parts;   // most of a row
  int packed;  // heads of a group that share a tile

  __device__ std::int64_t place(std::int64_t row, std::int64_t heads, std::int64_t head, int part) const {
    return (row * heads + head) * parts + part;
  }
};

// Tiles of one shape: their rows fit it, and `least` keys or more make a stretch where about `blocks` are
// wanted.
struct Tiling {
  int rows, blocks, least;
};

template <class W>
class Planner {
 public:
  Planner(const W& w, int packed_heads) : w_(w), packed_(packed_heads), counts_(std::size_t(rows<true>(w))) {}

  // Each request's own keys.
  std::vector<Item> requests(const Tiling& tiling) {
    std::vector<Item> tiles;
    for (std::int64_t b = 0; b < w_.batch; ++b) {
      const Request r = request<true>(w_, b);
      const std::int64_t each = tiling.rows / packed_;
      for (std::int64_t i = 0; i < r.queries; i += each) {
        const std::int64_t count = std::min(each, r.queries - i), end = end_of_keys(w_, r, i + count - 1);
        tiles.push_back({int(r.first_row + i), int(count), int(b),
                         int(std::max(attention::prefix(w_), first_key(w_, r, i))),
                         int(std::min(r.keys, end)), 0});
      }
    }
    return cut(tiles, tiling);
  }

  // The keys that all requests share.
  std::vector<Item> prefix(const Tiling& tiling) {
    std::vector<Item> tiles;
    const std::int64_t each = tiling.rows / packed_, keys = attention::prefix(w_);
    for (std::int64_t row = 0; row < w_.batch; row += each)
      tiles.push_back({int(row), int(std::min(each, w_.batch - row)), shared_prefix, 0, int(keys), 0});
    return cut(tiles, tiling);
  }

  const std::vector<int>& counts() const { return counts_; }
  int most() const { return counts_.empty() ? 0 : *std::max_element(counts_.begin(), counts_.end()); }
  void mark_whole(std::vector<Item>& items) const {
    for (Item& item : items)
      if (counts_[std::size_t(item.row)] == 1) item.part = whole;
  }

 private:
  std::vector<Item> cut(const std::vector<Item>& tiles, const Tiling& tiling) {
    constexpr std::int64_t unit = 64;  // keys: whole tiles of every shape
    std::int64_t work = 0, longest = 0;
    for (const Item& tile : tiles) {
      work += std::max(0, tile.end - tile.begin) * (w_.heads / packed_);
      longest = std::max<std::int64_t>(longest, tile.end - tile.begin);
    }
    const std::int64_t stretch = std::max<std::int64_t>(
        {tiling.least, podium::ceil_div(work, tiling.blocks), podium::ceil_div(longest, most_parts / 2)});
    std::vector<Item> items;
    for (const Item& tile : tiles) {
      const std::int64_t keys = std::max(0, tile.end - tile.begin);
      const std::int64_t parts = std::max<std::int64_t>(1, podium::ceil_div(keys, stretch));
      const std::int64_t each = podium::ceil_div(podium::ceil_div(keys, parts), unit) * unit;
      int begin = tile.begin;
      do {
        Item item = tile;
        item.begin = begin;
        item.end = int(std::min<std::int64_t>(tile.end, begin + each));
        item.part = counts_[std::size_t(tile.row)];
        for (int n = 0; n < tile.queries; ++n) ++counts_[std::size_t(tile.row + n)];
        items.push_back(item);
        begin = item.end;
      } while (begin < tile.end);
    }
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& x, const Item& y) { return x.end - x.begin > y.end - y.begin; });
    return items;
  }

  const W& w_;
  int packed_;
  std::vector<int> counts_;
};

// The heads of a group that share tiles: all of them, or a part that a tile of 16 rows can hold.
inline int packed_heads(std::int64_t group) {
  int heads = int(std::min<std::int64_t>(group, matrix::side));
  while (group % heads != 0) --heads;
  return heads;
}

}  // namespace attention::flash
