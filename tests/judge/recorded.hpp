// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A judge's numbers laid open, on any device: what every reference holds after inputs were filled or outputs
// verified. The words of the context say where it lies.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "suite/device/device.hpp"
#include "suite/problem/generate/plan.hpp"

namespace podium::judge {

// A program that remembers what it was told.
class Recorded : public device::Program {
 public:
  explicit Recorded(device::Program& program) : program_(program) {}
  void run(std::string_view kernel, std::span<const std::uint64_t> words, int groups) override {
    last_.assign(words.begin(), words.end());
    ran_.emplace(kernel);
    program_.run(kernel, words, groups);
  }
  void forget() { last_.clear(), ran_.clear(); }
  std::uint64_t word(int place) const { return last_.at(static_cast<std::size_t>(place)); }
  std::int64_t number(int place) const { return static_cast<std::int64_t>(word(place)); }
  // Whether evaluation e was, since forget(); a scatter without terms only starts.
  bool evaluated(std::size_t e) const {
    for (const std::string kernel : {"podium_evaluate_", "podium_tiles_", "podium_start_"})
      if (ran_.contains(kernel + std::to_string(e))) return true;
    return false;
  }

 private:
  device::Program& program_;
  std::vector<std::uint64_t> last_;
  std::set<std::string, std::less<>> ran_;
};

// What an evaluation stores: d: fp64, n: fp64 with a magnitude, i and u: 64-bit integers.
using Kinds = std::string;

// A text for the end of a judge's program: what each evaluation stores, as the compiler sees it.
inline std::string kinds_of(const problem::Plan& plan) {
  std::string text =
      "\nnamespace podium::program {\ntemplate <class V>\ninline constexpr char podium_kind =\n"
      "    is_number<V> ? 'n' : is_same<V, double> ? 'd' : is_unsigned_64<V> ? 'u' : 'i';\n}\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) const char podium_kinds[] = {";
  for (std::size_t e = 0; e < plan.evaluations().size(); ++e)
    text +=
        "podium::program::podium_kind<podium::program::podium_evaluation_" + std::to_string(e) + "::Value>, ";
  return text + "0};\n";
}

// What one evaluation of a reference has come to, row-major over its indices.
struct Evaluated {
  std::size_t evaluation = 0, reference = 0;  // index into Plan::evaluations(), Problem::references
  char kind = 'd';
  std::vector<std::vector<std::int64_t>> index;  // of each index the values
  std::vector<std::uint64_t> values;             // their bits
  std::vector<std::uint64_t> magnitudes;         // of kind n
};

inline std::vector<std::uint64_t> words_at(device::Device& device, std::uint64_t address, std::size_t count) {
  std::vector<std::uint64_t> words(count);
  if (count > 0) device.copy(words.data(), reinterpret_cast<const void*>(address), 8 * count);
  device.synchronise();
  return words;
}

// All that were evaluated since forget(): those for fills, to be read before a verification, which takes
// their memory; or those for a verification.
inline std::vector<Evaluated> read_references(device::Device& device, const Recorded& program,
                                              const problem::Problem& problem, const problem::Plan& plan,
                                              const Kinds& kinds, bool fills) {
  std::vector<Evaluated> all;
  for (std::size_t e = 0; e < plan.evaluations().size(); ++e) {
    const problem::Evaluation& evaluation = plan.evaluations()[e];
    if (evaluation.fill() != fills || !program.evaluated(e)) continue;
    Evaluated one{e, evaluation.reference, kinds.at(e), {}, {}, {}};
    std::size_t elements = 1;
    for (std::size_t k = 0; k < problem.references[one.reference].index.size(); ++k) {
      const int bounds = plan.bounds(one.reference, k);
      std::int64_t low = program.number(bounds), count = program.number(bounds + 1);
      std::uint64_t list = 0;
      if (const int set = evaluation.sets[k]; set != problem::whole_range) {
        const int place = plan.set(static_cast<std::size_t>(set));
        list = program.word(place), low = program.number(place + 1), count = program.number(place + 2);
      }
      auto& values = one.index.emplace_back(static_cast<std::size_t>(count));
      for (std::size_t v = 0; v < values.size(); ++v) values[v] = low + static_cast<std::int64_t>(v);
      if (list != 0) {
        const auto drawn = words_at(device, list, values.size());
        values.assign(drawn.begin(), drawn.end());
      }
      elements *= values.size();
    }
    one.values = words_at(device, program.word(plan.evaluation(e)), elements);
    if (one.kind == 'n') one.magnitudes = words_at(device, program.word(plan.evaluation(e) + 1), elements);
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace podium::judge
