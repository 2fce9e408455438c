// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills inputs, evaluates references and verifies outputs of one workload, all in the judge's private memory.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "suite/device/device.hpp"
#include "suite/judge/packed_structure.hpp"
#include "suite/judge/sensitivity.hpp"
#include "suite/problem/model/instance.hpp"

namespace podium::judge {

struct Finding {
  bool right = true;
  bool written = true;  // false: an output still holds the poison
  bool judged = true;   // false: a check came to no verdict, which may be its own fault
  double worst = 0;     // largest error over its limit, of outputs with a reference and of general checks
  std::int64_t left_out = 0;  // elements of right outputs that were excused or may hold anything
  // Of all outputs; of these, compared with a reference; elements and results that checks looked at.
  std::int64_t elements = 0, compared = 0, examined = 0;
  double reference_microseconds = 0;  // what its references took
  double exact = device::unknown;     // largest error against exact() of a reference in Python
  std::string text;  // evidence: output, element, got, expected, limit; if right, where the largest error is
};

struct Difference {
  std::int64_t count = 0;   // bytes that differ
  std::int64_t first = -1;  // offset of the first
};

class PythonReference;

class Evaluator {
 public:
  // All references outlive the evaluator. `program` was compiled from judge_program(problem, choice).
  Evaluator(device::Device& device, device::Program& program, const problem::Problem& problem,
            const problem::Choice& choice);
  ~Evaluator();
  // Of a problem whose reference is in Python: before begin(). Also in place of one that is over.
  void attach(std::unique_ptr<PythonReference> reference);
  bool reference_is_over() const;  // outputs have ended its process

  // Private memory for one workload; what an earlier begin() allocated is reused or freed. `full`: references
  // are evaluated everywhere, else on a sample. Structure has been computed: instance.structured(). Throws
  // podium::Error if the device has too little memory. `structure`: that of `instance`, packed; if none is
  // given it is packed here.
  void begin(const problem::Instance& instance, bool full,
             std::shared_ptr<const PackedStructure> structure = nullptr);

  void fill(
      std::uint64_t seed);  // enqueues, or has drawn, the inputs and inouts of `seed`, in private memory
  const std::byte* input(std::size_t tensor) const;  // the private copy of an input, of an inout before the
                                                     // call; index into instance.tensors
  const PackedStructure& structure() const;          // the private copies
  std::byte* output(std::size_t tensor);             // where the judge puts its copy of an output

  // Verifies the outputs against references and checks: everything if begun full, else scans every element
  // for poison (bytes `poison`, repeated) and non-finite values, and verifies a sample drawn from `seed` to
  // which the suspicious elements and the first and last index of every axis are added. Synchronises. Throws
  // podium::Error (usage) if the problem itself is at fault: an index out of range in a reference, with file,
  // line, tensor, index and shape.
  Finding verify(std::uint64_t seed, std::uint8_t poison);

  // Of a reference in Python, once begun: that it holds by itself. Throws podium::Error where it does not.
  void prove(std::uint64_t seed);

  // How small an error of each tensor verify() would notice; of inputs nothing. Begun full; what outputs held
  // is lost. Synchronises. Throws as verify() does.
  std::vector<Sensitivity> sense(std::uint64_t seed, std::uint8_t poison);

  // A range of the device's memory and what it must hold: as many bytes of another, or one byte throughout.
  struct Expected {
    const std::byte* at;
    std::int64_t bytes;
    std::variant<const std::byte*, std::uint8_t> contents;
  };
  std::vector<Difference> compare(const std::vector<Expected>& ranges);  // of each; synchronises

  // One reference's work on one domain: how many elements, of how many that it has, with terms of a loop
  // each.
  struct Evaluated {
    std::size_t reference;  // index into Problem::references
    std::int64_t elements, all, terms;
  };
  static constexpr std::size_t before_all = static_cast<std::size_t>(-1);  // as `reference`: none so far
  // Called by verify() before its first reference and after each one has been enqueued; nullptr: no more.
  void watch(std::function<void(const Evaluated&)> watch);

  // About how many elements and terms filling `instance` and verifying a sample of it visit; infinite where a
  // body's loops cannot be counted.
  static double work(const problem::Problem& problem, const problem::Instance& instance);

  // Bytes of private memory that begin() takes for `instance`.
  static std::int64_t memory(const problem::Problem& problem, const problem::Instance& instance, bool full);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace podium::judge
