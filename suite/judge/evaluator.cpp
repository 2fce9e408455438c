// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Runs the judge's program: fills, samples, references, comparisons and checks, then says what was found.
#include "suite/judge/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "suite/base/error.hpp"
#include "suite/judge/evaluator_fill.hpp"
#include "suite/judge/evaluator_memory.hpp"
#include "suite/judge/evaluator_report.hpp"
#include "suite/judge/evaluator_sample.hpp"
#include "suite/problem/generate_plan.hpp"
#include "suite/problem/program/launch.hpp"
#include "suite/problem/program/numbers.hpp"

namespace podium::judge {
namespace {

using problem::Role;

// What the groups of one launch hand back, copied by the device's stream: to be read after a synchronisation.
template <class Record>
struct Pending {
  std::vector<Record> records;
  Record merged() const {
    Record all = Record::identity();
    for (const Record& record : records) all.merge(record);
    return all;
  }
};

std::uint64_t word(const void* address) { return reinterpret_cast<std::uint64_t>(address); }
std::uint64_t word(double x) { return std::bit_cast<std::uint64_t>(x); }

// A parameter as contestants see it: rounded to its type.
std::uint64_t parameter_word(double value, problem::Dtype type) {
  if (type == problem::Dtype::f32) return word(static_cast<double>(static_cast<float>(value)));
  if (problem::info(type).floating) return word(value);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

}  // namespace

struct Evaluator::State {
  device::Device& device;
  device::Program& program;
  const problem::Problem& problem;
  problem::Plan plan;
  bool gpu = device.description().warp > 1;

  problem::Instance instance;
  bool full = false;
  PrivateLayout layout;
  std::unique_ptr<device::Memory> memory;
  std::vector<std::uint64_t> words;
  std::vector<std::int64_t> counts;               // values of each sample set now
  std::vector<std::vector<std::int64_t>> lists;   // kept while the device copies them
  int region = 0;                                 // the next free one

  State(device::Device& d, device::Program& p, const problem::Problem& q) : device(d), program(p), problem(q), plan(q) {}

  std::byte* at(std::int64_t offset) const { return memory->data() + offset; }
  void set(int place, std::uint64_t value) { words[static_cast<std::size_t>(place)] = value; }
  void set_argument(int place, std::uint64_t value) { set(place, value); }

  int groups_for(std::int64_t items) const { return std::clamp(device.groups_for(items), 1, most_groups); }

  // Starts a kernel that hands back one Record a group.
  template <class Record>
  void start(const std::string& kernel, std::int64_t items, Pending<Record>& pending) {
    static_assert(sizeof(Record) <= sizeof(program::Comparison));
    const int groups = groups_for(items);
    std::byte* const results = at(layout.results + region_bytes() * region++);
    set(program::launch_results, word(results));
    program.run(kernel, words, groups);
    pending.records.resize(static_cast<std::size_t>(groups));
    device.copy(pending.records.data(), results, pending.records.size() * sizeof(Record));
  }

  void place();
  void place_set(std::size_t s, const std::vector<std::int64_t>& values, bool whole);
  void draw(std::uint64_t seed, const std::vector<std::optional<Pending<program::Scan>>>& scans, std::uint64_t salt);
  void evaluate();
  void reduce(std::size_t e, std::int64_t elements);
  std::int64_t elements_of(const std::vector<int>& sets, std::size_t reference) const;
  std::size_t tensor_index(const std::string& name) const {
    return static_cast<std::size_t>(problem.tensor(name) - problem.tensors.data());
  }
  std::size_t scan_of_tensor(std::size_t t) const { return t; }
  void throw_fault(const program::Fault& fault) const;
  double value_at(std::size_t tensor, std::int64_t index);
};

Evaluator::Evaluator(device::Device& device, device::Program& program, const problem::Problem& problem,
                     const problem::Choice&)
    : state_(std::make_unique<State>(device, program, problem)) {}
Evaluator::~Evaluator() = default;

std::int64_t Evaluator::memory(const problem::Problem& problem, const problem::Instance& instance, bool full) {
  return lay_out(problem::Plan(problem), problem, instance, full).bytes;
}
