// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's program at work on one workload: private memory, the words of the context, launches and their
// records.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "suite/device/device.hpp"
#include "suite/judge/evaluator.hpp"
#include "suite/judge/private_layout.hpp"
#include "suite/problem/formula/access.hpp"
#include "suite/problem/program/launch.hpp"

namespace podium::judge {

// What the groups of one launch hand back; the device writes it there: read it after a synchronisation.
template <class Record>
struct Pending {
  std::span<Record> records;
  Record merged() const {
    Record all = Record::identity();
    for (const Record& record : records) all.merge(record);
    return all;
  }
};

class ProgramRunner {
 public:
  ProgramRunner(device::Device& device, device::Program& program, const problem::Problem& problem);

  // See Evaluator::begin.
  void begin(const problem::Instance& instance, bool full, std::shared_ptr<const PackedStructure> structure);
  const problem::Instance& instance() const { return instance_; }
  const problem::Problem& problem() const { return problem_; }
  const problem::Plan& plan() const { return plan_; }
  bool full() const { return full_; }
  std::byte* tensor(std::size_t t) const { return at(layout_.tensors[t]); }

  // What was there before the call: an input, or an inout's first values.
  std::byte* initial(std::size_t t) const {
    return layout_.initials[t] < 0 ? tensor(t) : at(layout_.initials[t]);
  }

  const PackedStructure& structure() const { return *structure_; }

  void fill(std::uint64_t seed);

  // Draws the sample sets; `wanted`: for each set the values that must be in it where they are in its range.
  void sample(std::uint64_t seed, const std::vector<std::vector<std::int64_t>>& wanted);
  void evaluate();  // all references, on the sample; those of form host on test workloads only
  // Of a problem in Python whose file has a check: nothing is compared with formulas.
  void leave_out_references(bool leaves) { leaves_out_ = leaves; }
  bool evaluates(std::size_t reference) const;  // whether evaluate() does so on this workload
  void watch(std::function<void(const Evaluator::Evaluated&)> watch) { watch_ = std::move(watch); }
  std::int64_t elements(std::size_t reference, const std::vector<int>& sets) const;
  std::int64_t elements(std::size_t reference, std::size_t index, int set) const;  // values of one index

  // Puts a number into the words of the context; `place` from program/launch.hpp.
  void set(int place, std::uint64_t value) { words_[static_cast<std::size_t>(place)] = value; }

  // Frees the regions of results for new launches, once the old ones have been read.
  void reset_results() { region_ = 0; }
  int regions() const { return layout_.regions; }
  // Enqueues a kernel of which each group hands back one Record.
  template <class Record>
  Pending<Record> start(const std::string& kernel, std::int64_t items) {
    static_assert(sizeof(Record) <= sizeof(program::Comparison), "a region of results has room for these");
    const int groups = groups_for(items);
    auto* const records = reinterpret_cast<Record*>(next_region());
    set(program::launch_results, reinterpret_cast<std::uint64_t>(records));
    program_.run(kernel, words_, groups);
    return {{records, static_cast<std::size_t>(groups)}};
  }

  void clear_fault();
  // What a term read out of range by a number that the contestant wrote: evidence against it.
  struct Astray {
    std::string text;      // "": nothing
    std::size_t site = 0;  // index into Problem::references
  };
  // Synchronises. Throws podium::Error if a reference was found at fault.
  Astray raise_fault();
  // Before distinct(): its words of the context, and its tables empty.
  void clear_tables(const problem::TensorInstance& tensor);
  // " at i = 3, j = 7": where an element of an output's or check's evaluation is; "" without indices.
  std::string place_of(std::size_t reference, std::int64_t element) const;
  void synchronise() { device_.synchronise(); }
  // Zeros for what an output holds.
  void clear(std::size_t tensor) {
    device_.set(at(layout_.tensors[tensor]), 0, static_cast<std::size_t>(instance_.tensors[tensor].bytes));
  }
  // The number in an element of a tensor. Synchronises.
  std::string text_of(std::size_t tensor, std::int64_t index);
  // The first element in [first, at) of a tensor whose number equals that of element `at`; -1: none.
  // Synchronises.
  std::int64_t first_equal(std::size_t tensor, std::int64_t first, std::int64_t at);

 private:
  class Launch;
  std::byte* at(std::int64_t offset) const { return memory_->data() + offset; }
  std::byte* next_region();
  int groups_for(std::int64_t items) const;
  void place_numbers();
  void place_structure();
  void place_set(std::size_t s, std::vector<std::int64_t> offsets);
  void place_whole_set(std::size_t s);
  void reduce(std::size_t evaluation, std::int64_t elements);
  void evaluate(std::size_t evaluation, std::int64_t elements);
  bool gpu() const { return device_.description().warp > 1; }
  std::string range_of(const program::Fault& fault) const;
  // The bits of elements [first, last), at least one. Synchronises.
  std::vector<std::uint64_t> bits_of(std::size_t tensor, std::int64_t first, std::int64_t last);
  void tell(std::size_t evaluation, std::int64_t elements) const;
  std::byte* fault(FaultKind kind) const;
  void derive();  // the derived fills

  device::Device& device_;
  device::Program& program_;
  const problem::Problem& problem_;
  problem::Plan plan_;
  std::vector<problem::Dependence> depends_;  // by reference
  problem::Instance instance_;
  bool full_ = false;
  PrivateLayout layout_;
  std::unique_ptr<device::Memory> memory_;
  std::unique_ptr<device::Memory> results_;  // of the host: nobody waits for copies
  std::vector<std::uint64_t> words_;
  std::vector<std::int64_t> counts_;              // how many values each sample set has now
  std::vector<std::vector<std::int64_t>> lists_;  // kept for the device's copies
  std::shared_ptr<const PackedStructure> structure_;
  int region_ = 0;
  bool leaves_out_ = false;
  std::function<void(const Evaluator::Evaluated&)> watch_;
};

}  // namespace podium::judge
