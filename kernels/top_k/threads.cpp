// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, whole rows each, candidates above a rising threshold
//   author: Podium

// Most elements are dropped by one comparison: once k have been seen, only what is larger than the k-th of
// them can still be taken. Candidates are gathered in a buffer; when it is full, the k largest stay and the
// threshold rises. A whole packet of elements is skipped at once if none passes.
#include <podium/convert.hpp>
#include <podium/threads.hpp>
#include <podium/top_k.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {
constexpr int packet = 32;

struct Candidate {
  float value;
  std::int32_t at;
  bool operator<(const Candidate& other) const { return value > other.value; }  // the largest comes first
};

class Best {
 public:
  explicit Best(std::size_t k) : k_(k), all_(2 * k + 2 * packet) {}

  // The k largest of x[0, n), in order.
  const std::vector<Candidate>& of(const float* x, std::int64_t n) {
    threshold_ = -INFINITY;
    count_ = 0;
    full_ = false;
    std::int64_t j = 0;
    for (; j + packet <= n; j += packet) {
      bool any = !full_;
      for (int l = 0; l < packet; ++l) any |= x[j + l] > threshold_;
      if (any) add(x, j, j + packet);
    }
    add(x, j, n);
    keep_best();
    std::sort(all_.begin(), all_.begin() + std::ptrdiff_t(k_));
    return all_;
  }

 private:
  void add(const float* x, std::int64_t begin, std::int64_t end) {  // at most a packet
    for (; begin < end; ++begin) {  // without a branch: which element passes cannot be foretold
      all_[count_] = {x[begin], std::int32_t(begin)};
      count_ += !full_ || x[begin] > threshold_;
    }
    if (count_ + packet > all_.size()) keep_best();
  }
  void keep_best() {
    const auto kth = all_.begin() + std::ptrdiff_t(k_) - 1;
    std::nth_element(all_.begin(), kth, all_.begin() + std::ptrdiff_t(count_));
    threshold_ = kth->value;
    count_ = k_;
    full_ = true;
  }

  std::size_t k_, count_ = 0;
  float threshold_ = -INFINITY;
  bool full_ = false;  // k elements are at least as large as the threshold
  std::vector<Candidate> all_;
};

struct Contestant {
  podium::Threads threads;
  std::vector<std::vector<float>> rows;
  std::vector<Best> best;

  explicit Contestant(const problem::Workload& w)
      : rows(std::size_t(threads.count()), std::vector<float>(std::size_t(w.cols))),
        best(std::size_t(threads.count()), Best(std::size_t(w.k))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    if (args.k == 0) return;
    threads.each_member([&](int member) {
      float* row = rows[std::size_t(member)].data();
      const auto [begin, end] = threads.share(args.rows, 1, member);
      for (auto i = begin; i < end; ++i) {
        podium::widen(args.x.data + i * args.cols, row, args.cols);
        const auto& found = best[std::size_t(member)].of(row, args.cols);
        for (std::int64_t r = 0; r < args.k; ++r) {
          args.indices(i, r) = found[std::size_t(r)].at;
          args.values(i, r) = args.x(i, found[std::size_t(r)].at);
        }
      }
    });
  }
};
}  // namespace
