// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, stretches of tokens
//   author: Podium

// A task is up to 512 tokens of one request and key head; a key or value is widened once for all query heads
// that look at it. Tasks leave sums relative to their own largest score; in the end those of a request and
// head are joined.
#include <podium/attention_paged_decode.hpp>
#include <podium/convert.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {
using problem::head_dim, problem::page_size;
constexpr int stretch = 32;  // pages of a task

struct Part {
  float peak, total, sum[head_dim];  // of one query head
};

struct Contestant {
  struct Task {
    std::int64_t request, kv_head, page, pages;
    bool last;
    Part* parts;  // `group` of them
  };
  podium::Threads threads;
  std::int64_t group;  // query heads of a key head
  std::vector<Task> tasks;
  std::vector<Part> parts;

  explicit Contestant(const problem::Workload& w) : group(w.heads / w.kv_heads) {
    for (std::int64_t b = 0; b < w.batch; ++b)
      for (std::int64_t g = 0; g < w.kv_heads; ++g)
        for (std::int64_t p = w.kv_indptr.host(b), end = w.kv_indptr.host(b + 1); p < end; p += stretch)
          tasks.push_back({b, g, p, std::min<std::int64_t>(stretch, end - p), p + stretch >= end, nullptr});
    parts.resize(tasks.size() * std::size_t(group));
    for (std::size_t t = 0; t < tasks.size(); ++t) tasks[t].parts = &parts[t * std::size_t(group)];
  }

  void run(const problem::Arguments& a, podium::Stream) {
    threads.each(std::int64_t(tasks.size()), [&](std::int64_t t) { attend(a, tasks[std::size_t(t)]); });
    for (std::size_t begin = 0, end = 0; begin < tasks.size(); begin = end) {
      while (end < tasks.size() && tasks[end].request == tasks[begin].request &&
             tasks[end].kv_head == tasks[begin].kv_head)
        ++end;
      for (std::int64_t g = 0; g < group; ++g) join(a, begin, end, g);
    }
  }

  void attend(const problem::Arguments& a, const Task& task) const {
    thread_local std::vector<float> q, score;  // of `group` heads; score: of each token, head by head
    const int tokens =
        int(task.pages - 1) * page_size + (task.last ? a.last_page_len.device(task.request) : page_size);
    q.resize(std::size_t(group * head_dim));
    score.resize(std::size_t(group * tokens));
    float row[head_dim];
    const auto row_of = [&](const auto& cache, int t) {
      const std::int64_t page = a.kv_indices.device(task.page + t / page_size);
      podium::widen(&cache(page, t % page_size, task.kv_head, 0), row, head_dim);
    };
    podium::widen(&a.q(task.request, task.kv_head * group, 0), q.data(), group * head_dim);
    for (int t = 0; t < tokens; ++t) {
      row_of(a.k_cache, t);
      for (std::int64_t g = 0; g < group; ++g)
        score[std::size_t(g * tokens + t)] =
            dot(&q[std::size_t(g * head_dim)], row) * float(problem::sm_scale);
    }
    for (std::int64_t g = 0; g < group; ++g) {
      Part& part = task.parts[g] = {-INFINITY, 0, {}};
      float* const own = &score[std::size_t(g * tokens)];
      for (int t = 0; t < tokens; ++t) part.peak = std::fmax(part.peak, own[t]);
      for (int t = 0; t < tokens; ++t) part.total += own[t] = std::exp(own[t] - part.peak);
    }
    for (int t = 0; t < tokens; ++t) {
      row_of(a.v_cache, t);
      for (std::int64_t g = 0; g < group; ++g)
        for (int d = 0; d < head_dim; ++d)
          task.parts[g].sum[d] += score[std::size_t(g * tokens + t)] * row[d];
    }
  }

  static float dot(const float* x, const float* y) {
    constexpr int lanes = 16;
    float sum[lanes] = {};
    for (int d = 0; d < head_dim; d += lanes)
      for (int l = 0; l < lanes; ++l) sum[l] += x[d + l] * y[d + l];
    for (int width = lanes / 2; width > 0; width /= 2)
      for (int l = 0; l < width; ++l) sum[l] += sum[l + width];
    return sum[0];
  }

  void join(const problem::Arguments& a, std::size_t begin, std::size_t end, std::int64_t g) const {
    Part all{-INFINITY, 0, {}};
    for (auto t = begin; t < end; ++t) all.peak = std::fmax(all.peak, tasks[t].parts[g].peak);
    for (auto t = begin; t < end; ++t) {
      const Part& part = tasks[t].parts[g];
      const float scale = std::exp(part.peak - all.peak);
      all.total += scale * part.total;
      for (int d = 0; d < head_dim; ++d) all.sum[d] += scale * part.sum[d];
    }
    for (float& sum : all.sum) sum /= all.total;
    podium::narrow(all.sum, &a.out(tasks[begin].request, tasks[begin].kv_head * group + g, 0), head_dim);
  }
};
}  // namespace
