// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A problem as its YAML file states it, parsed and checked; no number of a workload is evaluated yet.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/dtype.hpp"

namespace podium::problem {

struct Location {
  std::string file;
  int line = 0;  // from 1
};

// An expression of the formula language (shapes, costs, growth, conditions) or a C++ term, and where it
// stands.
struct Text {
  std::string text;
  Location at;
};

enum class Role { input, output };

struct Fill {
  enum class Kind { normal, uniform, integers, zeros, ones, sequence };
  Kind kind = Kind::zeros;
  // normal: mean, stddev; uniform: low, high (half open); integers: low, high (inclusive); sequence: first,
  // step.
  Text first, second;
  Location at;
};

// |y - ref| <= ulp eps(dtype) max(|ref|, smallest normal of dtype) + growth eps(accumulate) scale
struct Tolerance {
  enum class Scale { value, magnitude, reference };
  Text ulp, growth;
  Scale scale = Scale::value;
  std::string scale_reference;  // Scale::reference: the name of a reference
  double accumulate_eps = 0;    // spacing above 1 of the accumulator's format; f32 unless stated
  Location at;
};

struct Tensor {
  std::string name;
  Role role = Role::input;
  std::string type;         // a dtype's name, or a key of `types`
  std::vector<Text> shape;  // row-major, contiguous
  Fill fill;                // inputs
  Tolerance tolerance;      // outputs with a reference; integers are exact
  Location at;
  std::optional<Text> used;  // how much of the first axis is in use; all of it if absent
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
  Text low, high;            // half open; for an output's index: 0 and the extent
  bool per_element = false;  // the range uses outer indices: C++ expressions, evaluated for each element
};

// f[index...] = term, or = op over `over` of term; evaluated in fp64 (int64 where the term is integral).
struct Reference {
  enum class Form { value, reduce };
  enum class Op { sum, product, max, min, count };
  std::string name;  // an output's name, or an intermediate's
  Form form = Form::value;
  std::vector<Index> index, over;
  Op op = Op::sum;
  Text term;
  bool output = false;
  Location at;
};

// sorted: the tensor ascends (or descends) along its last axis. permutation: `of` and `tensor` hold the same
// multiset of elements, compared by a keyed hash.
struct Check {
  enum class Kind { sorted, permutation };
  std::string name;
  Kind kind = Kind::sorted;
  std::string tensor, of;
  bool descending = false;
  Location at;
};

// One complete choice of types: a board of its own.
struct Choice {
  std::map<std::string, Dtype> types;  // key of `types` -> dtype; empty where the problem has none
  std::string name;                    // "f32", "e4m3-bf16"; "fixed" where the problem has no `types`
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
  Location at;
};

struct Problem {
  std::string name, title, description;
  std::filesystem::path file;
  std::string source;  // the file's text

  struct Axis {
    std::string name;
    std::optional<Text> formula;  // a constant or formula; set by each workload where absent
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
  std::vector<Structure> structure;   // in the order of the file: each uses only earlier ones
  std::vector<Tensor> tensors;        // in the order of the file: the order of the wire
  std::vector<Reference> references;  // in an order in which each uses only earlier ones
  std::vector<Check> checks;
  std::map<std::string, std::int64_t> sample;  // index name -> how many are drawn
  std::optional<Text> bytes, flops;            // bytes absent: auto
  std::vector<Workload> workloads;
  std::int64_t memory_limit = 0;   // requires.memory, bytes; 0: none stated
  std::int64_t scratch_limit = 0;  // requires.scratch, bytes, the contestant's Workspace; 0: the default
  std::map<std::string, std::string> baseline;  // backend -> contestant

  const Tensor* tensor(std::string_view name) const;  // nullptr if none
};

// Reads and checks kernels/<name>/problem.yaml (the folder's name is the problem's name). Throws
// podium::Error whose text holds every mistake found, one sentence a line: file:line: key: found, expected,
// nearest valid name.
Problem load(const std::filesystem::path& file);
Problem parse(std::string name, std::string source, const std::filesystem::path& file);

}  // namespace podium::problem
