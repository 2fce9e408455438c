// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Flash attention on the CPU. A task has some queries of one request, with all query heads of one kv head,
// and a stretch of the keys that they see. It walks along tiles of keys. Keys and values are widened once for
// all rows (queries x heads). Scores lie key by key with the rows as vector lanes. Sums are scaled whenever a
// tile brings larger scores. Where several tasks see keys of the same row, they leave their sums, which are
// joined in the end.
#pragma once
#include <podium/convert.hpp>
#include <podium/exponential.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <vector>

#include "host_multiply.hpp"
#include "view.hpp"

namespace attention::host {

constexpr int tile = 64;                // keys
constexpr std::int64_t most_rows = 64;  // of a task, unless one query has more heads
constexpr std::int64_t shortest = 512;  // keys of a stretch, below which joining costs too much
constexpr std::int64_t tasks_each = 8;  // of a thread: enough to even out their lengths

// Where keys, values and queries lie: the widths in elements, and rows as floats.
struct Cached {
  static std::int64_t kv_heads(const auto& w) { return w.kv_heads; }
  static std::int64_t key_width(const auto& w) { return w.head_dim; }
  static std::int64_t value_width(const auto& w) { return w.head_dim; }
  static float score_scale(const auto& a) { return attention::score_scale(a); }
  static float value_scale(const auto& a) { return attention::value_scale(a); }

  static void widen_query(const auto& a, std::int64_t row, std::int64_t head, float* to) {
    podium::widen(query(a, row, head), to, a.head_dim);
  }
  static void widen_key(const auto& a, std::int64_t slot, std::int64_t kv_head, float* to) {
    podium::widen(key(a, slot, kv_head), to, a.head_dim);
  }
  static void widen_value(const auto& a, std::int64_t slot, std::int64_t kv_head, float* to) {
    podium::widen(value(a, slot, kv_head), to, a.head_dim);
  }
};

// Turns rows of consecutive positions, as Llama pairs d and d + head_dim / 2.
class Turn {
 public:
  // Before a row at `position`.
  void start(std::int64_t position, std::int64_t head_dim) {
    pairs_.resize(std::size_t(head_dim / 2));
    for (std::size_t d = 0; d < pairs_.size(); ++d) {
      const double step = std::pow(10000.0, -2.0 * double(d) / double(head_dim)),
                   angle = double(position) * step;
      pairs_[d] = {float(std::cos(angle)), float(std::sin(angle)), float(std::cos(step)),
                   float(std::sin(step))};
    }
  }
  // The row, and on to the next position.
  void apply(float* row) {
    for (std::size_t d = 0, half = pairs_.size(); d < half; ++d) {
      auto& [cosine, sine, next_cosine, next_sine] = pairs_[d];
      const float x = row[d], y = row[d + half];
      row[d] = x * cosine - y * sine;
      row[d + half] = y * cosine + x * sine;
      const float before = cosine;
      cosine = before * next_cosine - sine * next_sine;
      sine = sine * next_cosine + before * next_sine;
    }
  }

 private:
  struct Pair {
    float cosine, sine, next_cosine, next_sine;
  };
  std::vector<Pair> pairs_;
};

inline float hyperbolic_tangent(float x) {
  const float power = podium::exponential(-2 * std::fabs(x));
  return std::copysign((1 - power) / (1 + power), x);
}

// What some keys gave, of each row: the largest score, the sum of the weights exp(score - peak), and that of
// the weighted values. The first two have an element a lane.
struct State {
  float *peak, *total, *sum;

  static std::int64_t floats(std::int64_t rows, std::int64_t elements) {
    return 2 * whole_vectors(rows) + rows * elements;
  }
  static State at(float* memory, std::int64_t rows) {
    return {memory, memory + whole_vectors(rows), memory + 2 * whole_vectors(rows)};
  }
};

// A thread's memory. Rows of a task are lanes.
struct Scratch {
  std::vector<float> queries;  // [key_width][lanes], scaled
  std::vector<float> rows;     // [tile][key_width or value_width]
  std::vector<float> scores;   // [tile][lanes]; then weights
  std::vector<float> state, scale, slope;
  std::vector<int> index, begin, end;  // of each lane: its query, and the keys that it sees
  Turn turn;
};

template <class Layout>  // such as Cached
class Flash {
  struct Task {
    std::int64_t request, kv_head, first_row, queries;
    std::int64_t begin, end;  // keys
    std::int64_t part = -1;   // where its state lies in parts_, if others see keys of the same rows
  };
  struct Share {
    std::int64_t row, kv_head, task;
  };

 public:
  explicit Flash(const problem::Workload& w)
      : kv_heads_(Layout::kv_heads(w)),
        group_(w.heads / kv_heads_),
        key_width_(Layout::key_width(w)),
        value_width_(Layout::value_width(w)) {
    std::vector<Task> wholes;
    const std::int64_t at_once = std::max<std::int64_t>(1, most_rows / group_);
    for (std::int64_t g = 0; g < kv_heads_; ++g) {
      for (std::int64_t row = 0; row < w.batch && prefix(w) > 0; row += at_once)
        wholes.push_back({row, g, row, std::min(at_once, w.batch - row), 0, prefix(w)});
      for (std::int64_t b = 0; b < w.batch; ++b) {
        const Request r = request<true>(w, b);
        for (std::int64_t i = 0; i < r.queries; i += at_once) {
          const std::int64_t count = std::min(at_once, r.queries - i), end = end_of_keys(w, r, i + count - 1);
          const std::int64_t begin = std::max(first_key(w, r, i), prefix(w));
          wholes.push_back({b, g, r.first_row + i, count, std::min(begin, end), end});
        }
      }
    }
    cut(wholes);
  }

  void run(const problem::Arguments& a, podium::Stream) {
    threads_.each(std::int64_t(tasks_.size()), [&](std::int64_t t) { attend(a, tasks_[std::size_t(t)]); });
    threads_.each(std::int64_t(joins_.size()) - 1, [&](std::int64_t n) {
      join(a, &shares_[joins_[std::size_t(n)]], &shares_[0] + joins_[std::size_t(n) + 1]);
    });
  }

 private:
  void cut(const std::vector<Task>& wholes) {
    std::int64_t keys = 0, floats = 0;
    for (const Task& whole : wholes) keys += whole.end - whole.begin;
    const std::int64_t stretch = std::max(shortest, podium::ceil_div(keys, tasks_each * threads_.count()));
    for (const Task& whole : wholes) {
      const bool alone = whole.end - whole.begin <= stretch && !Prefixed<problem::Workload>;
      for (std::int64_t begin = whole.begin; begin == whole.begin || begin < whole.end; begin += stretch) {
        Task task = whole;
        task.begin = begin;
        task.end = std::min(whole.end, begin + stretch);
        if (!alone) {
          task.part = floats;
          floats += State::floats(whole.queries * group_, value_width_);
          for (std::int64_t i = 0; i < whole.queries; ++i)
            shares_.push_back({whole.first_row + i, whole.kv_head, std::int64_t(tasks_.size())});
        }
        tasks_.push_back(task);
      }
    }
    parts_.resize(std::size_t(floats));
    const auto order = [](const Share& s) { return std::pair(s.row, s.kv_head); };
    std::sort(shares_.begin(), shares_.end(), [&](auto& x, auto& y) { return order(x) < order(y); });
    for (std::size_t n = 0; n < shares_.size(); ++n)
      if (n == 0 || order(shares_[n - 1]) != order(shares_[n])) joins_.push_back(n);
    joins_.push_back(shares_.size());
  }

  void attend(const problem::Arguments& a, const Task& task) {
    thread_local Scratch my;
    const std::int64_t rows = task.queries * group_, lanes = whole_vectors(rows);
    my.rows.resize(std::size_t(tile * std::max(key_width_, value_width_)));
    my.scale.resize(std::size_t(lanes));
    my.state.resize(std::size_t(State::floats(rows, value_width_)));
    const State state = State::at(task.part < 0 ? my.state.data() : &parts_[std::size_t(task.part)], rows);
    std::fill_n(state.peak, lanes, -INFINITY);
    std::fill_n(state.total, lanes, 0.0f);
    std::fill_n(state.sum, rows * value_width_, 0.0f);
    begin(a, task, lanes, my);
    for (std::int64_t first = task.begin; first < task.end; first += tile) {
      const std::int64_t keys = std::min<std::int64_t>(tile, task.end - first);
      if (has_rope(a)) my.turn.start(first, key_width_);
      for (std::int64_t j = 0; j < keys; ++j) {
        float* const row = &my.rows[std::size_t(j * key_width_)];
        Layout::widen_key(a, slot(a, task.request, first + j), task.kv_head, row);
        if (has_rope(a)) my.turn.apply(row);
      }
      my.scores.assign(std::size_t(tile * lanes), 0);
      multiply({my.rows.data(), key_width_, 1}, my.queries.data(), lanes, my.scores.data(), lanes, keys,
               key_width_, lanes);
      adjust(a, first, keys, lanes, my);
      weigh(keys, rows, lanes, state, my);
      for (std::int64_t j = 0; j < keys; ++j)
        Layout::widen_value(a, slot(a, task.request, first + j), task.kv_head,
                            &my.rows[std::size_t(j * value_width_)]);
      multiply({my.scores.data(), 1, lanes}, my.rows.data(), value_width_, state.sum, value_width_, rows,
               keys, value_width_);
    }
    if (task.part >= 0) return;
    for (std::int64_t r = 0; r < rows; ++r)
      finish(a, task.first_row + r / group_, task.kv_head * group_ + r % group_, state.peak[r],
             state.total[r], state.sum + r * value_width_);
  }

  // Queries as lanes, and what they see.
  void begin(const problem::Arguments& a, const Task& task, std::int64_t lanes, Scratch& my) const {
    const Request r = request(a, task.request);
    my.queries.assign(std::size_t(key_width_ * lanes), 0);
    my.index.assign(std::size_t(lanes), 0);
    my.slope.assign(std::size_t(lanes), 0);
    my.begin.assign(std::size_t(lanes), 0);
    my.end.assign(std::size_t(lanes), INT_MAX);
    for (std::int64_t n = 0; n < task.queries * group_; ++n) {
      const std::int64_t row = task.first_row + n / group_, head = task.kv_head * group_ + n % group_,
                         i = row - r.first_row;
      float* const query = my.rows.data();
      Layout::widen_query(a, row, head, query);
      if (has_rope(a)) {
        my.turn.start(r.position(i), key_width_);
        my.turn.apply(query);
      }
      for (std::int64_t d = 0; d < key_width_; ++d)
        my.queries[std::size_t(d * lanes + n)] = query[d] * Layout::score_scale(a);
      my.index[std::size_t(n)] = int(i);
      my.begin[std::size_t(n)] = int(first_key(a, r, i));
      my.end[std::size_t(n)] = int(end_of_keys(a, r, i));
      if (has_alibi(a)) my.slope[std::size_t(n)] = slope(a, head);
    }
  }

  // From scaled products to scores: soft cap, ALiBi, and -infinity for keys that a row does not see.
  static void adjust(const problem::Arguments& a, std::int64_t first, std::int64_t keys, std::int64_t lanes,
                     Scratch& my) {
    float* const scores = my.scores.data();
    if (const float cap = soft_cap(a); cap > 0)
      for (std::int64_t n = 0; n < keys * lanes; ++n) scores[n] = cap * hyperbolic_tangent(scores[n] / cap);
    if (has_alibi(a))
      for (std::int64_t j = 0; j < keys; ++j)
        for (std::int64_t r = 0; r < lanes; ++r)
          scores[j * lanes + r] +=
              my.slope[std::size_t(r)] * float(int(first + j) - my.index[std::size_t(r)]);
    const bool all_seen = first >= *std::max_element(my.begin.begin(), my.begin.end()) &&
                          first + keys <= *std::min_element(my.end.begin(), my.end.end());
    if (all_seen) return;
    for (std::int64_t j = 0; j < keys; ++j)
      for (std::int64_t r = 0; r < lanes; ++r) {
        const bool seen = first + j >= my.begin[std::size_t(r)] && first + j < my.end[std::size_t(r)];
        scores[j * lanes + r] = seen ? scores[j * lanes + r] : -INFINITY;
      }
  }

  // From scores to weights; the state is scaled to the largest score so far. A row that has seen no key has
  // none.
  void weigh(std::int64_t keys, std::int64_t rows, std::int64_t lanes, const State& state,
             Scratch& my) const {
    float *const scores = my.scores.data(), *const scale = my.scale.data();
    std::copy_n(state.peak, lanes, scale);
    for (std::int64_t j = 0; j < keys; ++j)
      for (std::int64_t r = 0; r < lanes; ++r)
        state.peak[r] = state.peak[r] > scores[j * lanes + r] ? state.peak[r] : scores[j * lanes + r];
    for (std::int64_t r = 0; r < lanes; ++r) {
      scale[r] = podium::exponential(scale[r] - (state.peak[r] == -INFINITY ? 0 : state.peak[r]));
      state.total[r] *= scale[r];
    }
    for (std::int64_t j = 0; j < keys; ++j)
      for (std::int64_t r = 0; r < lanes; ++r) {
        float& score = scores[j * lanes + r];
        score = podium::exponential(score - (state.peak[r] == -INFINITY ? 0 : state.peak[r]));
        state.total[r] += score;
      }
    for (std::int64_t r = 0; r < rows; ++r)
      if (scale[r] != 1)
        for (std::int64_t d = 0; d < value_width_; ++d) state.sum[r * value_width_ + d] *= scale[r];
  }

  void join(const problem::Arguments& a, const Share* begin, const Share* end) {
    thread_local std::vector<float> sum;
    const auto state_of = [&](const Share& share) {
      const Task& task = tasks_[std::size_t(share.task)];
      return State::at(&parts_[std::size_t(task.part)], task.queries * group_);
    };
    for (std::int64_t n = 0; n < group_; ++n) {
      const auto lane = [&](const Share& s) {
        return (s.row - tasks_[std::size_t(s.task)].first_row) * group_ + n;
      };
      float peak = -INFINITY, total = 0;
      sum.assign(std::size_t(value_width_), 0);
      for (const Share* s = begin; s < end; ++s) peak = std::max(peak, state_of(*s).peak[lane(*s)]);
      for (const Share* s = begin; s < end; ++s) {
        const State state = state_of(*s);
        const float scale = state.total[lane(*s)] > 0 ? std::exp(state.peak[lane(*s)] - peak) : 0;
        total += scale * state.total[lane(*s)];
        for (std::int64_t d = 0; d < value_width_; ++d)
          sum[std::size_t(d)] += scale * state.sum[lane(*s) * value_width_ + d];
      }
      finish(a, begin->row, begin->kv_head * group_ + n, peak, total, sum.data());
    }
  }

  void finish(const problem::Arguments& a, std::int64_t row, std::int64_t head, float peak, float total,
              float* sum) const {
    float factor = Layout::value_scale(a);
    if (has_sinks(a)) {
      const float highest = std::max(peak, sink(a, head)), scale = std::exp(peak - highest);
      total = total * scale + std::exp(sink(a, head) - highest);
      factor *= scale;
      peak = highest;
    }
    factor = total > 0 ? factor / total : 0;
    for (std::int64_t d = 0; d < value_width_; ++d) sum[d] *= factor;
    podium::narrow(sum, a.out.data + (row * a.heads + head) * value_width_, value_width_);
    put_lse(a, row, head, peak, total);
  }

  podium::Threads threads_;
  std::int64_t kv_heads_, group_, key_width_, value_width_;
  std::vector<Task> tasks_;
  std::vector<float> parts_;
  std::vector<Share> shares_;       // by row and kv head
  std::vector<std::size_t> joins_;  // the first of each row and kv head, and the end
};

using Contestant = Flash<Cached>;

}  // namespace attention::host
