// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, radix sort in three passes of 11 bits
//   author: Podium

// Every pass sorts by one digit, lowest first, and keeps the order of equal digits. Each thread counts the
// digits of its share; from the counts of all threads follows where each thread's elements of each digit
// begin, and then all write at once. A float is compared like an unsigned integer once the sign bit is
// flipped and, if negative, all others too.
#include <podium/sort.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace {
constexpr int bits = 11, passes = 3;
constexpr std::size_t digits = std::size_t{1} << bits;

inline std::uint32_t key_of(std::uint32_t v) { return v ^ (v >> 31 ? 0xffffffffu : 0x80000000u); }
inline std::uint32_t value_of(std::uint32_t key) { return key ^ (key >> 31 ? 0x80000000u : 0xffffffffu); }

inline std::uint32_t load(const void* from, std::int64_t i) {
  std::uint32_t v;
  std::memcpy(&v, static_cast<const char*>(from) + i * 4, sizeof v);
  return v;
}
inline void store(void* to, std::int64_t i, std::uint32_t v) {
  std::memcpy(static_cast<char*>(to) + i * 4, &v, sizeof v);
}

struct Contestant {
  podium::Threads threads;
  std::uint32_t *one, *two;                         // x -> one -> two -> y
  std::vector<std::vector<std::int64_t>> position;  // of each thread, for each digit

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : one(workspace.device<std::uint32_t>(std::size_t(w.n))),
        two(workspace.device<std::uint32_t>(std::size_t(w.n))),
        position(std::size_t(threads.count()), std::vector<std::int64_t>(digits)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const auto same = [](std::uint32_t v) { return v; };
    pass(args.n, 0, args.x.data, one, key_of, same);
    pass(args.n, bits, one, two, same, same);
    pass(args.n, 2 * bits, two, args.y.data, same, value_of);
  }

  template <class Before, class After>
  void pass(std::int64_t n, int shift, const void* in, void* out, Before before, After after) {
    const auto digit = [shift](std::uint32_t key) { return key >> shift & (digits - 1); };
    threads.each_member([&](int member) {
      auto& count = position[std::size_t(member)];
      std::fill(count.begin(), count.end(), 0);
      const auto [begin, end] = threads.share(n, 1024, member);
      for (auto i = begin; i < end; ++i) ++count[digit(before(load(in, i)))];
    });
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < digits; ++d)
      for (auto& count : position) sum += std::exchange(count[d], sum);
    threads.each_member([&](int member) {
      auto* next = position[std::size_t(member)].data();
      const auto [begin, end] = threads.share(n, 1024, member);
      for (auto i = begin; i < end; ++i) {
        const auto key = before(load(in, i));
        store(out, next[digit(key)]++, after(key));
      }
    });
  }
};
}  // namespace
