// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/benchmark_view.hpp"

#include <algorithm>

#include "suite/cli/google_benchmark.hpp"
#include "suite/measure/samples.hpp"

namespace podium::cli {
namespace {

void register_one(const report::BenchmarkRow& listed, benchmark::TimeUnit unit) {
  const std::string error = !listed.error.empty()       ? listed.error
                            : listed.medians_us.empty() ? "not timed"
                                                        : "";
  auto body = [listed, error, next = std::size_t{0}](benchmark::State& state) mutable {
    if (!error.empty()) state.SkipWithError(error.c_str());
    for (auto _ : state) state.SetIterationTime(listed.medians_us.at(next++) * 1e-6);
    if (!error.empty()) return;
    if (listed.bytes > 0) state.SetBytesProcessed(static_cast<std::int64_t>(listed.bytes));
    if (listed.flops > 0)
      state.counters["flops"] = benchmark::Counter(listed.flops, benchmark::Counter::kIsRate);
    for (const record::Metric* metric : record::metrics())
      if (const auto& values = listed.metrics[*metric]; !values.empty())
        state.counters[std::string(metric->key)] = measure::median(values).value;
  };
  register_manual(listed.name, std::move(body), unit)
      ->Iterations(1)
      ->Repetitions(error.empty() ? static_cast<int>(listed.medians_us.size()) : 1);
}

}  // namespace

int present(const BenchmarkFlags& flags, const std::vector<report::BenchmarkRow>& all) {
  open_output(flags);
  initialize(flags.forwarded, flags.out);
  benchmark::ClearRegisteredBenchmarks();
  std::size_t longest = 0;
  for (const report::BenchmarkRow& listed : all) {
    register_one(listed, unit_of(flags));
    longest = std::max(longest, listed.name.size());
  }
  run_registered(flags, longest);
  return static_cast<int>(
      std::ranges::count_if(all, [](const report::BenchmarkRow& listed) { return !listed.error.empty(); }));
}

}  // namespace podium::cli
