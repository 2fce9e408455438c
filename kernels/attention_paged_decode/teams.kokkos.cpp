// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Kokkos, one team a request, kv head and stretch of keys
//   author: Podium

// A team walks along tiles of keys: scores of all heads of the group to its scratch memory, weights in their
// place, weighted values to sums. Where requests and heads are too few for the device, several teams share
// the keys of a request, and a second kernel joins their sums.
#include <podium/attention_paged_decode.hpp>
#include <podium/kokkos.hpp>

#include <algorithm>

#include "../attention_prefill/view.hpp"

namespace {
using namespace attention;
using Policy = Kokkos::TeamPolicy<>;
using Team = Policy::member_type;
using Floats = Kokkos::View<float*, Policy::execution_space::scratch_memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
constexpr int tile = 64;                        // keys
constexpr std::int64_t shortest = 256;          // keys of a stretch
constexpr int team_threads = 128, vector = 32;  // as wanted on a GPU

// Of each request, head and part: largest score, sum of exp(score - peak), sums of weighted values.
struct Parts {
  std::int64_t count = 1;
  float *peaks, *totals, *sums;
};

// A team's scratch memory, for `group` heads.
struct Scratch {
  Floats weights, scales, peaks, totals, sums;

  static int floats(std::int64_t group, std::int64_t head_dim) { return int(group * (tile + 3 + head_dim)); }
  // Each View may take some bytes more, to be aligned.
  static int bytes(std::int64_t group, std::int64_t head_dim) {
    return int(Floats::shmem_size(std::size_t(floats(group, head_dim)))) + 5 * 64;
  }
  KOKKOS_FUNCTION Scratch(const Team& team, int group, int head_dim)
      : weights(team.team_scratch(0), std::size_t(group * tile)),
        scales(team.team_scratch(0), std::size_t(group)),
        peaks(team.team_scratch(0), std::size_t(group)),
        totals(team.team_scratch(0), std::size_t(group)),
        sums(team.team_scratch(0), std::size_t(group * head_dim)) {}
};

// The product of a query and a key, `distance` positions before it; with RoPE of d and d + head_dim / 2.
KOKKOS_INLINE_FUNCTION float product(const Team& team, const problem::Arguments& a, const real* q,
                                     const Key* k, float distance) {
  const int head_dim = int(a.head_dim), half = head_dim / 2;
  float all = 0;
  if (has_rope(a))
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, half),
        [&](const int d, float& sum) {
          const float angle = distance * rope_frequency(d, head_dim);
          const float q1 = podium::cast<float>(q[d]), q2 = podium::cast<float>(q[d + half]);
          const float k1 = podium::cast<float>(k[d]), k2 = podium::cast<float>(k[d + half]);
          sum += (q1 * k1 + q2 * k2) * cosf(angle) + (q1 * k2 - q2 * k1) * sinf(angle);
        },
        all);
  else
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, head_dim),
        [&](const int d, float& sum) { sum += podium::cast<float>(q[d]) * podium::cast<float>(k[d]); }, all);
  return all;
}

// The keys of one tile, from `first` on, of a request with `all_keys`.
KOKKOS_INLINE_FUNCTION void add_tile(const Team& team, const problem::Arguments& a, const Scratch& my,
                                     std::int64_t b, int kv_head, int first, int keys, int all_keys) {
  const int group = int(a.heads / a.kv_heads), head_dim = int(a.head_dim), head = kv_head * group;
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group * keys), [&](const int n) {
    const int h = n / keys, j = first + n % keys;
    const real* const q = query(a, b, head + h);
    const Key* const k = key(a, slot(a, b, j), kv_head);
    const float scaled = product(team, a, q, k, float(all_keys - 1 - j)) * score_scale(a);
    Kokkos::single(Kokkos::PerThread(team),
                   [&] { my.weights(h * tile + n % keys) = score(a, head + h, 0, j, scaled); });
  });
  team.team_barrier();
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group), [&](const int h) {
    float highest = my.peaks(h), total = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, keys),
        [&](const int n, float& most) { most = fmaxf(most, my.weights(h * tile + n)); },
        Kokkos::Max<float>(highest));
    highest = fmaxf(highest, my.peaks(h));
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, keys),
        [&](const int n, float& sum) {
          my.weights(h * tile + n) = expf(my.weights(h * tile + n) - highest);
          sum += my.weights(h * tile + n);
        },
        total);
    Kokkos::single(Kokkos::PerThread(team), [&] {
      my.scales(h) = expf(my.peaks(h) - highest);
      my.totals(h) = my.totals(h) * my.scales(h) + total;
      my.peaks(h) = highest;
    });
  });
  team.team_barrier();
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group), [&](const int h) {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, head_dim),
                         [&](const int d) { my.sums(h * head_dim + d) *= my.scales(h); });
    for (int n = 0; n < keys; ++n) {
      const Key* const v = value(a, slot(a, b, first + n), kv_head);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, head_dim), [&](const int d) {
        my.sums(h * head_dim + d) += my.weights(h * tile + n) * podium::cast<float>(v[d]);
      });
    }
  });
  team.team_barrier();
}

KOKKOS_INLINE_FUNCTION void attend(const Team& team, const problem::Arguments& a, const Parts& parts) {
  const int group = int(a.heads / a.kv_heads), head_dim = int(a.head_dim);
  const std::int64_t part = team.league_rank() % parts.count, unit = team.league_rank() / parts.count;
  const std::int64_t b = unit / a.kv_heads, kv_head = unit % a.kv_heads;
  const Request r = request(a, b);
  const std::int64_t first = first_key(a, r, 0);
  const std::int64_t begin = first + (r.keys - first) * part / parts.count,
                     end = first + (r.keys - first) * (part + 1) / parts.count;
  const Scratch my(team, group, head_dim);
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group), [&](const int h) {
    Kokkos::single(Kokkos::PerThread(team), [&] { my.peaks(h) = -INFINITY, my.totals(h) = 0; });
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, head_dim),
                         [&](const int d) { my.sums(h * head_dim + d) = 0; });
  });
  team.team_barrier();
  for (std::int64_t at = begin; at < end; at += tile)
    add_tile(team, a, my, b, int(kv_head), int(at), int(end - at < tile ? end - at : tile), int(r.keys));
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, group), [&](const int h) {
    const std::int64_t place = (b * a.heads + kv_head * group + h) * parts.count + part;
    Kokkos::single(Kokkos::PerThread(team), [&] {
      parts.peaks[place] = my.peaks(h);
      parts.totals[place] = my.totals(h);
    });
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, head_dim),
                         [&](const int d) { parts.sums[place * head_dim + d] = my.sums(h * head_dim + d); });
  });
}

// One team a request and head.
KOKKOS_INLINE_FUNCTION void join(const Team& team, const problem::Arguments& a, const Parts& parts) {
  const std::int64_t row = team.league_rank() / a.heads, head = team.league_rank() % a.heads;
  const std::int64_t place = team.league_rank() * parts.count;
  float peak = has_sinks(a) ? sink(a, head) : -INFINITY, total = 0;
  for (int p = 0; p < parts.count; ++p) peak = fmaxf(peak, parts.peaks[place + p]);
  if (has_sinks(a)) total = expf(sink(a, head) - peak);
  const float base = peak == -INFINITY ? 0 : peak;
  for (int p = 0; p < parts.count; ++p)
    total += expf(parts.peaks[place + p] - base) * parts.totals[place + p];
  const float factor = total > 0 ? value_scale(a) / total : 0;
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, int(a.head_dim)), [&](const int d) {
    float sum = 0;
    for (int p = 0; p < parts.count; ++p)
      sum += expf(parts.peaks[place + p] - base) * parts.sums[(place + p) * a.head_dim + d];
    result(a, row, head)[d] = podium::cast<real>(sum * factor);
  });
  Kokkos::single(Kokkos::PerTeam(team), [&] { put_lse(a, row, head, peak, total); });
}

struct Contestant {
  Parts parts{};

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    std::int64_t longest = 0;
    for (std::int64_t b = 0; b < w.batch; ++b) longest = std::max(longest, request<true>(w, b).keys);
    const std::int64_t teams = std::max<std::int64_t>(1, w.batch * w.kv_heads);
    const std::int64_t wanted = Kokkos::DefaultExecutionSpace().concurrency() / team_threads;
    parts.count = std::clamp<std::int64_t>(podium::ceil_div(wanted, teams), 1,
                                           std::max<std::int64_t>(1, podium::ceil_div(longest, shortest)));
    const auto places = std::size_t(w.batch * w.heads * parts.count);
    if (places == 0) return;
    parts.peaks = workspace.device<float>(places);
    parts.totals = workspace.device<float>(places);
    parts.sums = workspace.device<float>(places * std::size_t(w.head_dim));
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch == 0) return;
    const auto space = podium::kokkos::space(stream);
    const Parts all = parts;
    const int lanes = std::min(vector, Policy::vector_length_max());
    Policy teams(space, int(args.batch * args.kv_heads * parts.count), Kokkos::AUTO, lanes);
    teams.set_scratch_size(0, Kokkos::PerTeam(Scratch::bytes(args.heads / args.kv_heads, args.head_dim)));
    Kokkos::parallel_for("attend", teams, KOKKOS_LAMBDA(const Team& team) { attend(team, args, all); });
    Kokkos::parallel_for(
        "join", Policy(space, int(args.batch * args.heads), Kokkos::AUTO),
        KOKKOS_LAMBDA(const Team& team) { join(team, args, all); });
  }
};
}  // namespace
