// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A workload's numbers while they are evaluated, one after the other.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "suite/problem/instance/faults.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/problem/yaml/cursor.hpp"

namespace podium::problem {

class Instantiation {
 public:
  Instantiation(const Problem& problem, const Choice& choice, const Workload& workload, Mistakes& mistakes,
                std::optional<std::uint64_t> structure_seed)
      : problem_(problem),
        choice_(choice),
        workload_(workload),
        mistakes_(mistakes),
        structure_seed_(structure_seed) {
    scope_.types.insert(choice.types.begin(), choice.types.end());
    for (const auto& constant : problem.constants) scope_.numbers[constant.name] = constant.value;
    instance_.workload = workload.name;
    instance_.stage = workload.stage;
  }

  std::optional<Instance> run();

 private:
  static constexpr double largest = static_cast<double>(largest_whole);

  std::string where() const;
  // Each key's first workload speaks for all.
  void note(const Location& at, const std::string& key, const std::string& sentence);
  // Whether its value is known only when structure is.
  bool left_open(const Text& formula) const;
  // Nothing after noting a mistake, or where the value is left open. A problem without a mistake of its own
  // only fails here by its numbers.
  std::optional<double> value(const Text& formula, const std::string& key);
  // Finite and within [low, high], else nothing and a mistake.
  std::optional<double> within(const Text& formula, const std::string& key, double low, double high,
                               bool whole, const std::string& expected);
  std::optional<std::int64_t> whole(const Text& formula, const std::string& key, double low,
                                    const std::string& expected);
  // 0 where the file states nothing.
  std::optional<double> finite(const Text& formula, const std::string& key, double low,
                               const std::string& expected);
  void parameters();
  void axes();
  void structure();
  void compute(const Structure& structure, StructureInstance& made);
  // The extent of the first axis in use, of `extent`.
  std::int64_t used(const Text& formula, const std::string& key, std::int64_t extent);
  std::int64_t extent(const Text& formula, const std::string& key);
  // Leaves of a tensor the part in use, along its first axis.
  void use_part(const Text& formula, const std::string& key, TensorInstance& tensor);
  // Every workload that breaks a condition is named.
  void hold(std::size_t k);
  void add(const Tensor& tensor);
  void hold_part(const Tensor& tensor, std::int64_t extent, const std::string& key);
  void try_element_formula(const std::string& tensor, const Text& formula);
  void fill(TensorInstance& tensor, const Fill& fill);
  void ranges(const Reference& reference);
  bool follows_structure(const Check& check) const;
  void hold(const Check& check);
  void costs();

  const Problem& problem_;
  const Choice& choice_;
  const Workload& workload_;
  Mistakes& mistakes_;
  std::optional<std::uint64_t> structure_seed_;  // nothing: structure is not computed
  Scope scope_;
  Instance instance_;
  bool failed_ = false;
  std::set<std::string> refused_;  // formulas whose value was
};

}  // namespace podium::problem
