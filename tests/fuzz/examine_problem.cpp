// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/examine_problem.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "suite/base/error.hpp"
#include "suite/judge/evaluator.hpp"
#include "suite/judge/placement.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "tests/fuzz/promises.hpp"
#include "tests/problem/schema_validator.hpp"

namespace podium::fuzz {
namespace {

using problem::Choice;
using problem::Instance;
using problem::Problem;
using problem::Workload;

// A text may take 10^8 steps and a gibibyte, seconds of work that hide nothing else: here it gets less.
constexpr std::int64_t most_steps = 20'000;
constexpr std::int64_t most_elements = 1 << 16;
constexpr std::uint64_t seed = 0x5eed;

// The words of a refusal.
void refused(const Error& error, const std::string& source) {
  if (error.fault() != Fault::input) throw std::logic_error("another exit status than that of usage");
  expect_sentences(error.what(), source);
}

// Element places lie within memory and ranges of the arena follow each other.
void lay_out(const Instance& instance) {
  for (const auto& tensor : instance.tensors) {
    if (tensor.elements > 0) {
      const std::int64_t last = position_of(tensor, tensor.elements - 1);
      expect(last >= 0 && last < tensor.storage, "the last element lies behind the tensor's memory");
    }
    const auto view = whole_view_of(tensor);
    expect(view.extents.size() == view.strides.size(), "as many strides as extents");
  }
  const std::int64_t arena = judge::arena_bytes(instance);
  const auto placement = judge::place(instance, arena, seed);
  std::int64_t end = 0;
  for (const auto* ranges : {&placement.structure, &placement.tensors})
    for (const auto& range : *ranges) {
      if (range.offset == 0 && range.bytes == 0) continue;  // private structure
      expect(range.offset >= end, "two tensors share memory");
      expect(range.offset % judge::tensor_alignment == 0, "a tensor that is not aligned");
      end = range.offset + range.bytes;
      expect(end <= arena, "a tensor that ends behind the arena");
    }
}

// The memory that the judge would take; it may refuse the numbers, in a sentence.
void measure(const Problem& problem, const Instance& instance, const std::string& source) {
  for (const bool full : {false, true}) try {
      expect(judge::Evaluator::memory(problem, instance, full) >= 0, "memory that is negative");
    } catch (const Error& error) {
      refused(error, source);
    }
}

// Whether every structure of the workload can be computed within the limits above.
bool computes_soon(const Problem& problem, const Instance& instance) {
  problem::Scope scope = scope_of(problem, instance);
  std::vector<problem::StructureInstance> structure = instance.structure;
  for (auto& one : structure) {
    if (one.elements > most_elements) return false;
    try {
      compute_structure(problem, scope, seed, structure, one, most_steps);
    } catch (const problem::ComputeError&) {
      return false;  // named below, unless it was the limit
    }
  }
  return true;
}

void with_structure(const Problem& problem, const Choice& choice, const Workload& workload,
                    const std::string& source) try {
  const Instance instance = instantiate(problem, choice, workload, seed);
  for (const auto& one : instance.structure) {
    constexpr std::byte beyond{0xa7};
    std::vector<std::byte> packed(static_cast<std::size_t>(one.bytes) + 1, beyond);
    one.pack(packed.data());
    expect(packed.back() == beyond, "structure is packed into its bytes");
  }
  lay_out(instance);
  measure(problem, instance, source);
} catch (const Error& error) {
  refused(error, source);
}

void generate(const Problem& problem, const Choice& choice) {
  expect_text(contestant_header(problem, choice));
  expect_text(judge_program(problem, choice));
  expect(!interface_hash(problem, choice).empty(), "an interface without a hash");
}

}  // namespace

bool examine_problem(const std::string& source) {
  Problem problem;
  try {
    problem = problem::parse("thing", source, "p.yaml");
  } catch (const Error& error) {
    refused(error, source);
    return false;
  }
#ifdef PODIUM_HAS_VALIJSON
  const std::string held = problem::held_against(source);
  expect(held.empty(), "the schema refuses what the parser accepts: " + held);
#endif
  for (const Choice& choice : problem.choices) {
    generate(problem, choice);
    for (const Workload& workload : problem.workloads) {
      if (!on_board(workload, choice)) continue;
      const Instance instance = instantiate(problem, choice, workload);
      lay_out(instance);
      if (problem.structure.empty())
        measure(problem, instance, source);
      else if (computes_soon(problem, instance))
        with_structure(problem, choice, workload, source);
    }
  }
  return true;
}

}  // namespace podium::fuzz
