// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A problem as its YAML file states it, parsed and checked; no number of a workload is evaluated yet.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/model/dtype.hpp"
#include "suite/problem/model/layout.hpp"
#include "suite/problem/yaml/location.hpp"

namespace podium::problem {

// A value as files call it.
template <class Value>
struct Named {
  Value value;
  std::string_view name;
};

// inout: filled like an input and written like an output; the judge keeps its values before the call.
enum class Role { input, output, inout };
inline constexpr std::array<Named<Role>, 3> roles{
    {{Role::input, "input"}, {Role::output, "output"}, {Role::inout, "inout"}}};
std::string_view name_of(Role role);

// How the ranks of a group have a tensor. whole: each has all of it. each: its first axis is the rank, whose
// part it has. shard: its first axis is cut into as many equal parts as there are ranks.
enum class PerRank { whole, each, shard };
inline constexpr std::array<Named<PerRank>, 2> parts_of_ranks{
    {{PerRank::each, "each"}, {PerRank::shard, "shard"}}};

struct ReadyFill;  // fills/fills.hpp

// ready: one of the table of ready-made fills. value: a term over the element's indices. derived: a
// reference. python: drawn by the problem's reference in Python.
struct Fill {
  enum class Kind { ready, value, derived, python };
  Kind kind = Kind::ready;
  const ReadyFill* ready = nullptr;  // of Kind::ready
  Text first, second;                // its arguments
  bool over_tensor = false;          // permutation: of all elements, else of each row along the last axis
  std::vector<std::string> index;    // value: a name for each axis
  Text term;                         // value: a C++ expression over them; see fill_term.hpp
  std::string reference;             // derived: the name of the reference that is rounded into the tensor
  Location at;
};

// |y - ref| <= ulp step(dtype, ref) + growth eps(accumulate) scale; step: the distance of neighbouring
// numbers
struct Tolerance {
  enum class Scale { value, magnitude, reference };
  Text ulp, growth;
  bool growth_by_index = false;  // growth uses indices of the output's reference: evaluated for each element
  Scale scale = Scale::value;
  std::string scale_reference;  // Scale::reference: the name of a reference
  double accumulate_eps = 0;    // spacing above 1 of the accumulator's format; f32 unless stated
  std::string accumulate_type;  // a key of `types` instead: the board's format (TensorInstance)
  std::string loose;            // why errors of some percent may be right; "": they may not
  Location at;
};

struct Tensor {
  std::string name;
  Role role = Role::input;
  std::string type;  // a dtype's name, or a key of `types`
  std::vector<Text> shape;
  Layout layout = Layout::row_major;
  std::vector<Text> strides;  // Layout::strided: one for every axis, in elements
  Fill fill;                  // inputs and inouts
  Tolerance tolerance;        // outputs and inouts with a reference; integers are exact
  Location at;
  std::optional<Text> used;  // how much of the first axis is in use; all of it if absent
  bool visible = true;       // to contestants; false: private, an input that only fills and references read
  PerRank per_rank = PerRank::whole;
  // Of a reference in Python: the output whose expected values this private tensor holds, which the file does
  // not state; "": it is the file's own.
  std::string answers;
};

// Small data that shapes the work: computed on the CPU once a round, in the order of the file.
struct Structure {
  std::string name;
  Dtype dtype = Dtype::i32;  // f64, f32, an integer or bool
  std::vector<Text> shape;   // row-major
  std::optional<Text> used;  // how much of the first axis is in use; all of it if absent
  Text compute;              // statements: compute.hpp
  bool visible = true;       // to contestants; false: private
  Location at;
};

struct Index {
  std::string name;
  Text low, high;  // half open; for an output's index: 0 and the extent
  // A range of `over` that uses outer indices, tensors or references: low and high are C++ expressions, which
  // may use structure as well.
  bool dependent = false;
  Text most = {};  // most values that a dependent range has, a formula; "": found by trying low and high
};

struct ReferenceForm;  // formula/reference_forms.hpp

// f[index...], evaluated in fp64 (int64 where the term is integral), in one of these forms:
// value: term. reduce: op over `over` of term. scan: op of term along one index, up to and with (or, where
// `exclusive`, without) each of its values. scatter: op over `over` of term, each joined to the element whose
// scattered indices are `at`, where `where` holds. recur: along one index, `first` at its first value and
// term at later ones; term may call f at earlier ones. order: the value of `over`'s one index that has rank
// `index.back()` when sorted by term, ties in order, NaN last; -1 where there are fewer. code: term is the
// body of a C++ function. host: term is a sequential algorithm that assigns all of out(index...); only on
// test workloads.
struct Reference {
  enum class Op { sum, product, max, min, count };
  std::string name;                     // an output's name, or an intermediate's
  const ReferenceForm* form = nullptr;  // its row; set by the parser
  std::vector<Index> index, over;
  Op op = Op::sum;
  Text term;
  bool output = false;
  Location at;
  std::size_t along = 0;      // scan, recur: which of `index`
  bool exclusive = false;     // scan
  bool descending = false;    // order
  bool integral = false;      // host: int64 instead of fp64
  Text first;                 // recur
  Text where;                 // scatter; "": everywhere
  std::vector<Text> targets;  // scatter: for each of `index` its expression; "": not scattered
  // A general check's, whose name it is: checks.NAME. Outputs are the contestant's there.
  bool check = false;
  bool probe = false;  // +-1 in each element, drawn after the call
  std::string unless;  // of an output: where the reference of this name is not zero it need only be finite
  Location unless_at;
  Text any;  // of an output: a formula over its indices; where it is not zero an element may hold anything
  // Of a derived fill: the tensor that it fills, by whose name a recurrence calls itself. Its own name is its
  // key in the file, which no term can call.
  std::string fills;
  const std::string& itself() const { return fills.empty() ? name : fills; }
};

struct BuiltinCheck;  // checks/checks.hpp

// A built-in check of an output, or |reference| <= limit wherever that reference is verified.
struct Check {
  std::string name;
  const BuiltinCheck* builtin = nullptr;  // nullptr: reference and limit
  std::string tensor, of;                 // `of` of an inout tensor: its values before the call
  bool descending = false;
  Location at;
  std::vector<std::string> with, of_with;  // the further tensors of tuples, as `tensor` and `of`
  bool upper = false, unit = false;        // triangular: zeros below the diagonal; ones on it
  std::size_t reference = 0;               // index into Problem::references
  Text limit;
};

inline constexpr std::array<Named<Reference::Op>, 5> operations{{{Reference::Op::sum, "sum"},
                                                                 {Reference::Op::product, "product"},
                                                                 {Reference::Op::max, "max"},
                                                                 {Reference::Op::min, "min"},
                                                                 {Reference::Op::count, "count"}}};
std::string_view name_of(Reference::Op op);

// One complete choice of types, and of how many ranks compute together: a board of its own.
struct Choice {
  std::map<std::string, Dtype> types;  // key of `types` -> dtype; empty where the problem has none
  std::string name;                    // "f32", "e4m3-bf16", "f32-2ranks"; "fixed" where there is no choice
  int ranks = 1;                       // devices, each with a process of the contestant
};

enum class Stage { test, quick, bench };
std::string_view name_of(Stage stage);  // "test", "quick", "bench"

struct Workload {
  Stage stage = Stage::test;
  std::string name;                          // given, or made of the axes: "rows=7,cols=1023"
  std::map<std::string, std::int64_t> axes;  // those the workload sets
  std::map<std::string, double> parameters;
  std::map<std::string, std::string> types;  // keys of `types` it names: runs on matching boards only
  std::map<std::string, Fill> fills;         // overrides, by tensor
  int ranks = 0;                             // runs on boards of so many ranks only; 0: on all
  Location at;
};

// Words that a device is held against: `features` all of them, of the others one.
struct Requirement {
  std::vector<std::string> words;  // none: any device will do
  Location at;
};

// A file of the problem's folder that runs as Python: the reference, on the judge's side; the adapter, in
// workers.
struct PythonFile {
  std::string file;                  // from the problem's folder
  std::string framework;             // what its tensors are: a name of python_frameworks
  std::vector<std::string> modules;  // further files that it imports by their names
  Location at;
};
inline constexpr std::array python_frameworks{"numpy", "torch"};

struct Problem {
  std::string name, title, description;
  std::filesystem::path file;
  std::string source;  // the file's text

  struct Axis {
    std::string name;
    std::optional<Text> formula;  // a constant or formula; set by each workload where absent
    bool ranks = false;           // the number of ranks: set by the board
  };
  struct Parameter {
    std::string name;
    Dtype type = Dtype::f32;
  };
  struct Constant {
    std::string name;
    double value = 0;
    bool whole = true;  // std::int64_t for contestants, else double
  };
  std::vector<Axis> axes;
  std::vector<Parameter> parameters;
  std::vector<Constant> constants;
  std::vector<Text> conditions;
  std::vector<Choice> choices;        // at least one
  std::optional<Text> symmetric;      // bytes of each rank's memory that all ranks reach; none if absent
  std::vector<Structure> structure;   // in the order of the file: each uses only earlier ones
  std::vector<Tensor> tensors;        // in the order of the file, private ones last: the order of the wire
  std::vector<Reference> references;  // in an order in which each uses only earlier ones
  std::vector<Check> checks;
  std::optional<PythonFile> python;  // the reference; `references` then only hold outputs against its answers
  std::optional<PythonFile> adapter;           // how contestants in Python are called that have no `run`
  std::map<std::string, std::int64_t> sample;  // index name -> how many are drawn
  std::optional<Text> bytes, flops;            // bytes absent: auto
  std::optional<Text> link;                    // bytes that each rank sends to others; not stated if absent
  bool traffic_known = true;                   // false: not stated, and auto would be wrong (gathered_input)
  std::vector<Workload> workloads;
  std::int64_t memory_limit = 0;   // requires.memory, bytes; 0: none stated
  std::int64_t scratch_limit = 0;  // requires.scratch, bytes, the contestant's Workspace; 0: the default
  Requirement backends, features, architectures;  // of a device: requirement.hpp
  std::map<std::string, std::string> baseline;    // backend -> contestant

  const Tensor* tensor(std::string_view name) const;         // nullptr if none
  bool ranked() const { return choices.front().ranks > 1; }  // of several devices: on every board
};

Dtype dtype_of(const Tensor& tensor, const Choice& choice);
// Whether `holds` of the tensor's dtype on some board.
bool on_some_board(const Problem& problem, const Tensor& tensor, bool (*holds)(Dtype));
// Spacing above 1 of the accumulator's format on the board of `choice`.
double accumulate_eps(const Tolerance& tolerance, const Choice& choice);

}  // namespace podium::problem
