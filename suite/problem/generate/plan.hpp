// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a judge's program evaluates and where its numbers stand in the context: the one thing that the
// generator and the evaluator share.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

inline constexpr int whole_range = -1;

// The values of an output's index that are verified when not all are. Indices of one name and range share a
// set.
struct SampleSet {
  std::string index;
  Text low, high;
  std::int64_t drawn = 0;  // how many values, before the first, the last and the suspicious are added
  int outputs = 0;         // how many axes of outputs it selects elements of
};

// A reference evaluated over one domain: for each of its indices a sample set, or the whole range. A call
// that hands on an index of its caller hands on that index's set; any other argument asks for the whole
// range.
struct Evaluation {
  std::size_t reference = 0;  // index into Problem::references
  std::vector<int> sets;      // an index's sample set, or whole_range
  bool magnitude = false;     // in the chain of an output whose scale is its magnitude
  // The derived fills that need it, as indices into Problem::references. Inputs are filled before anything is
  // verified: what both need is evaluated for each.
  std::vector<std::size_t> fills = {};
  bool fill() const { return !fills.empty(); }
};

// Whether a reduction is generated for tiles of its elements as well (program/reduce_tile.hpp): they differ
// in the last two indices, the ranges that they run over do not depend on these, and, as in a product, one
// thing that a term reads belongs to the row alone and another to the column alone.
bool tiled(const Reference& reference);

// Axis `axis` of tensor `tensor`, an output, is read at the values of a sample set: suspicious elements of
// the output join it.
struct Watch {
  std::size_t tensor = 0, axis = 0;
  int set = whole_range;
  bool operator==(const Watch&) const = default;
};

// Places are indices into the words of the context (suite/problem/program/launch.hpp has those of a launch).
class Plan {
 public:
  // Throws podium::Error if the problem needs more words than a kernel's parameters hold. Outlived by
  // `problem`.
  explicit Plan(const Problem& problem);

  const std::vector<SampleSet>& sets() const { return sets_; }
  const std::vector<Evaluation>& evaluations() const { return evaluations_; }  // each uses only earlier ones
  const std::vector<Watch>& watches() const { return watches_; }
  // Those for a verification, or for fills.
  std::vector<std::size_t> evaluations_of(std::size_t reference, bool fill = false) const;
  // The reference of that name, or npos.
  std::size_t reference_named(std::string_view name) const;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  // For each index of an output's reference its sample set, or whole_range.
  std::vector<int> output_sets(std::size_t reference) const;

  int words() const { return words_; }
  int axis(std::size_t k) const { return axes_ + static_cast<int>(k); }
  int parameter(std::size_t k) const { return parameters_ + static_cast<int>(k); }
  int tensor(std::size_t t) const { return tensors_[t]; }    // address, extents, strides if any
  int initial(std::size_t t) const { return initials_[t]; }  // the same of an inout before the call; else 0
  int structure(std::size_t s) const { return structures_[s]; }  // address, then extents in use
  int bounds(std::size_t reference, std::size_t index) const;    // low, extent; `over` follow the indices
  int set(std::size_t s) const { return set_places_[s]; }        // address of the list or 0, low, count
  int evaluation(std::size_t e) const { return values_[e]; }     // addresses of values and magnitudes

 private:
  void find_sets();
  void find_evaluations();
  void find_evaluations_of_fills();
  void add_evaluations(std::vector<std::vector<Evaluation>> demands);
  void find_watches();
  void watch(const Watch& watch);
  void place();

  const Problem& problem_;
  std::vector<SampleSet> sets_;
  std::vector<Evaluation> evaluations_;
  int words_ = 0, axes_ = 0, parameters_ = 0;
  std::vector<Watch> watches_;
  std::vector<int> structures_, tensors_, initials_, bounds_, set_places_, values_;
};

}  // namespace podium::problem
