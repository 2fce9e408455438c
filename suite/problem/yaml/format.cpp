// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table itself: a form a section of the file, in the order of the file.
#include "suite/problem/yaml/format.hpp"

#include <stdexcept>

#include "suite/base/backend.hpp"

namespace podium::problem {
namespace {

constexpr bool needed = true;

std::vector<Key> a_name_each_backend() {
  std::vector<Key> keys;
  for (const Backend& backend : backends()) keys.push_back({backend.name, "name", "On " + backend.devices});
  return keys;
}

std::vector<Form> settings() {
  return {
      {.name = "problem",
       .says = "A kernel problem: tensors, reference, tolerances and workloads",
       .keys = {{"podium", "version", "The version of the format: 1", needed},
                {"title", "text", "One line, as in tables", needed},
                {"description", "text", "What is computed, as a formula or a sentence"},
                {"axes", "[name] | {formula | null}",
                 "Integers that each workload sets; as a map, those with a formula are computed"},
                {"conditions", "[formula]", "What must hold on every workload, as in \"cols > 0\""},
                {"parameters", "{parameter}", "Scalars that are not axes, set by each workload: f32 or f64"},
                {"constants", "{number}", "Numbers known to contestants' compilers"},
                {"types", "{[dtype]} | [{dtype}]",
                 "Choices of dtypes: lists are combined, a list of maps states complete choices; each is a "
                 "board"},
                {"structure", "{structure}",
                 "Small data that shapes the work: lengths, offsets, page tables; computed once a round"},
                {"tensors", "{tensor}", "Inputs and outputs, in the order that contestants see", needed},
                {"reference", "{reference}", "What outputs are compared with, evaluated in fp64"},
                {"checks", "{check}", "What must hold of outputs that are not unique"},
                {"probe", "{probe}", "Vectors of +-1, drawn after the call, that checks read like tensors"},
                {"sample", "{count}",
                 "How many values of an output's index are verified; others are taken whole"},
                {"cost", "cost", "Least traffic and arithmetic, for rates"},
                {"workloads", "workloads", "Sizes: test, quick and bench", needed},
                {"requires", "requires", "What a device must grant"},
                {"baseline", "baseline", "The contestant that times are related to, by backend"}},
       .later = {"ranks"}},
      {.name = "cost",
       .says = "Of one call",
       .keys = {{"bytes", "formula", "Least traffic; auto: inputs read once, outputs written once"},
                {"flops", "formula", "Arithmetic operations"}}},
      {.name = "requires",
       .says = "What a device must grant",
       .keys = {{"memory", "bytes", "Most memory of one workload's tensors, as in 2 GiB"},
                {"scratch", "bytes", "Most scratch memory of a contestant"},
                {"backends", "[backend]", "Those that the problem runs on"},
                {"features", "[feature]", "Formats that a device's matrix units must take: all of these"},
                {"architectures", "[name]", "Devices that the problem runs on, as in [sm_90, gfx942]"}}},
      {.name = "baseline", .says = "Contestants by backend", .keys = a_name_each_backend()},
  };
}

std::vector<Form> tensors() {
  return {
      {.name = "structure",
       .says = "Numbers that the judge computes on the CPU, from those above",
       .keys = {{"dtype", "structure_dtype", "An integer's, bool, f32 or f64", needed},
                {"shape", "[formula]", "The most there can be, as in [batch + 1]; [] for a single number",
                 needed},
                {"compute", "text",
                 "Statements that set out(...), as in \"for (b : batch) out(b) = 1 + random.below(9);\"",
                 needed},
                {"used", "formula", "How much of the first axis is in use"},
                {"private", "truth", "Hidden from contestants (false)"}},
       .later = {"per_rank"}},
      {.name = "tensor",
       .says = "An input or output",
       .keys = {{"role", "role", "input, output, or inout: changed in place", needed},
                {"dtype", "name", "A dtype, or a key of types", needed},
                {"shape", "[formula]", "Extents, as in [rows, cols]; [] for a single number", needed},
                {"fill", "fill", "How an input or inout is drawn"},
                {"tolerance", "tolerance", "How far an output may be from its reference"},
                {"strides", "[formula]", "In elements, as in [pitch, 1]; row-major unless stated"},
                {"layout", "layout", "scales_128x4: tiles of 128 rows and 4 columns"},
                {"used", "formula", "How much of the first axis is in use, as in \"offsets(batch)\""},
                {"private", "truth", "An input that contestants do not see (false)"}},
       .later = {"per_rank"}},
      {.name = "tolerance",
       .says = "|y - ref| <= ulp step(dtype, ref) + growth eps(accumulate) scale; step: the distance of "
               "neighbours",
       .keys =
           {{"ulp", "formula",
             "Distances of neighbouring numbers of the output's dtype; 0.5: rounded correctly", needed},
            {"growth", "formula",
             "Factor of the accumulator's rounding; sqrt of its length is usual (1); may use the output's "
             "indices, as in \"sqrt(j + 1)\""},
            {"scale", "name", "value, magnitude, or the name of a reference (value)"},
            {"accumulate", "accumulator | name", "The accumulator's format, or a key of types (f32)"},
            {"loose", "text", "Why an error of 1 % in all elements may be right on some workload"}}},
  };
}

std::vector<Form> fills() {
  return {
      {.name = "fill",
       .says = "How an input is drawn; the same bits on every device",
       .keys = {{"integers", "integers_fill", "Whole numbers, both ends included"},
                {"normal", "normal_fill | null", "Normal numbers: mean 0, standard deviation 1"},
                {"ones", "{null} | null", "All 1"},
                {"permutation", "permutation_fill | null", "0 to n - 1, shuffled, along the last axis"},
                {"sequence", "sequence_fill | null", "first, first + step, ...: 0, 1, 2, ..."},
                {"uniform", "uniform_fill | null", "Uniform numbers in [low, high): [0, 1)"},
                {"zeros", "{null} | null", "All 0"}}},
      {.name = "value_fill",
       .says = "A term over the element's indices, with draws random(k) and normal(k)",
       .keys = {{"index", "[name]", "A name for each axis, in order", needed},
                {"value", "term", "As in \"random(0, min(i, j), max(i, j))\": a symmetric matrix", needed}}},
      // In the order of Reference::Form, as the keys of a reference.
      {.name = "derived_fill",
       .says =
           "A reference over other inputs, rounded once: the same on each backend, not the same bits on all",
       .keys = {{"index", "[name]", "A name for each axis, in order", needed},
                {"value", "term", "As in \"exp(x(i, j)) / total(i)\""},
                {"reduce", "reduce", "A sum, product, maximum, minimum or count"},
                {"scan", "scan", "The same, running along one of its indices"},
                {"scatter", "scatter", "Terms that are added where they point to"},
                {"recur", "recur", "Steps along one of its indices, each from earlier ones"},
                {"order", "order", "Where the rank's element of a sorted line stands"},
                {"code", "term", "A C++ body that ends in return"},
                {"host", "term | host", "A C++ body that assigns all of out(...); test workloads only"}},
       .one_of = {"value", "reduce", "scan", "scatter", "recur", "order", "code", "host"}},
      {.name = "normal_fill",
       .says = "A sum of uniform numbers, within 3.47 standard deviations",
       .keys = {{"mean", "formula", "0 unless stated"}, {"stddev", "formula", "1 unless stated"}}},
      {.name = "uniform_fill",
       .says = "Uniform numbers in [low, high)",
       .keys = {{"low", "formula", "0 unless stated"}, {"high", "formula", "Not reached; 1 unless stated"}}},
      {.name = "integers_fill",
       .says = "Uniform whole numbers",
       .keys = {{"low", "formula", "The least", needed},
                {"high", "formula", "The greatest: included", needed}}},
      {.name = "sequence_fill",
       .says = "first + step times the element's number",
       .keys = {{"first", "formula", "0 unless stated"}, {"step", "formula", "1 unless stated"}}},
      {.name = "permutation_fill",
       .says = "A random order of 0 to n - 1",
       .keys = {{"over", "over",
                 "row: along the last axis, each row on its own (row); tensor: of all elements"}}},
  };
}

std::vector<Form> references() {
  return {
      {.name = "reference",
       .says = "f[index] = value, or a reduction; each uses inputs and other references",
       .keys =
           {{"index", "[name] | {range}", "An output's indices in shape order; else names and ranges",
             needed},
            {"value", "term", "A C++ expression, as in \"exp(x(i, j) - peak(i))\""},
            {"reduce", "reduce", "A sum, product, maximum, minimum or count"},
            {"scan", "scan", "The same, running along one of its indices"},
            {"scatter", "scatter", "Terms that are added where they point to"},
            {"recur", "recur", "Steps along one of its indices, each from earlier ones"},
            {"order", "order", "Where the rank's element of a sorted line stands"},
            {"code", "term", "A C++ body that ends in return"},
            {"host", "term | host", "A C++ body that assigns all of out(...); test workloads only"},
            {"unless", "name",
             "A reference: where it is not zero the output need only be finite, as at near-ties"},
            {"any", "formula",
             "Where it is not zero, an element of the output may hold anything, as in \"t >= length(b)\""}},
       // In the order of Reference::Form.
       .one_of = {"value", "reduce", "scan", "scatter", "recur", "order", "code", "host"}},
      {.name = "range_map",
       .says = "From low to high, which is not included",
       .keys = {{"low", "formula", "0 unless stated"},
                {"high", "formula", "Not included", needed},
                {"most", "formula", "Its most values, where low and high use outer indices"}}},
      {.name = "reduce",
       .says = "op over the indices `over` of term",
       .keys = {{"over", "{range}", "Indices and their ranges, as in { j: cols } or { j: [low, high] }",
                 needed},
                {"op", "op", "sum, product, max, min or count", needed},
                {"term", "term", "A C++ expression", needed}}},
      {.name = "scan",
       .says = "op of the terms up to each index along one of the reference's own",
       .keys = {{"along", "name", "One of its indices", needed},
                {"op", "op", "sum, product, max, min or count", needed},
                {"term", "term", "A C++ expression", needed},
                {"exclusive", "truth", "Without the term at the index itself (false)"}}},
      {.name = "scatter",
       .says = "op of the terms that point to an element",
       .keys = {{"over", "{range}", "Indices and their ranges", needed},
                {"at", "{term}", "For each scattered index where a term goes, as in { b: \"bin(t)\" }",
                 needed},
                {"op", "op", "sum, product, max, min or count", needed},
                {"term", "term", "A C++ expression", needed},
                {"where", "term", "Terms for which it is false are left out"}}},
      {.name = "recur",
       .says = "A state, step by step",
       .keys = {{"along", "name", "One of its indices, ascending", needed},
                {"first", "term", "The value at the first step", needed},
                {"next", "term", "The others; may call the reference at earlier steps", needed}}},
      {.name = "order",
       .says = "A stable sort of each line; NaN last",
       .keys = {{"along", "{range}", "One index and its range", needed},
                {"by", "term", "What is sorted by", needed},
                {"descending", "truth", "The largest first (false)"}}},
      {.name = "host",
       .says = "A sequential algorithm",
       .keys = {{"integral", "truth", "int64 rather than fp64 (false)"},
                {"body", "term", "A C++ body that assigns all of out(...)", needed}}},
      {.name = "check",
       .says = "What must hold of outputs: a built-in check, or a result that must not exceed a limit",
       .keys = {{"sorted", "name", "An output that ascends along its last axis"},
                {"permutation", "[name | [name]]",
                 "[y, x]: y holds the elements of x, each as often; [[y, w], [x, v]]: pairs of them"},
                {"stable", "[name]", "[keys, order]: among equal neighbours of keys, order ascends"},
                {"finite", "name", "An output without infinities and NaN"},
                {"triangular", "name", "An output whose matrices are zero beyond the diagonal"},
                {"distinct", "name", "An output without a number twice along its last axis"},
                {"descending", "truth", "Beside sorted: it descends"},
                {"part", "part", "Beside triangular: the triangle that is not zero"},
                {"unit", "truth", "Beside triangular: ones on the diagonal"},
                {"index", "[name] | {range}", "Where it must hold: names and ranges, or names alone"},
                {"value", "term", "A C++ expression, as in \"y(i) - y.reference(i)\""},
                {"reduce", "reduce", "A sum, product, maximum, minimum or count"},
                {"limit", "formula", "What the result must not exceed in size"}},
       .one_of = {"sorted", "permutation", "stable", "finite", "triangular", "distinct", "value", "reduce"}},
      {.name = "probe",
       .says = "A vector of +-1, drawn after the call",
       .keys = {{"shape", "[formula]", "Its extents, as in [n]", needed}}},
  };
}

std::vector<Form> workloads() {
  return {
      {.name = "workloads",
       .says = "Sizes, by stage",
       .keys = {{"test", "[workload]", "Small and awkward; verified in full, never ranked", needed},
                {"quick", "[workload]", "Seconds on a laptop's CPU"},
                {"bench", "[workload]", "Those of published tables"}}},
      {.name = "workload",
       .says = "A number for each axis and parameter; a dtype for keys of types, to run on those boards only",
       .keys = {{"name", "name", "In tables; made of the axes unless given"},
                {"fill", "{fill}", "Fills that differ on this workload, by input"}},
       .later = {"ranks"},
       .others = "number | dtype"},
  };
}

template <class List>
const auto& named(const List& list, std::string_view name) {
  for (const auto& item : list)
    if (item.name == name) return item;
  throw std::logic_error("the format has no " + std::string(name));
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<std::string> Form::names() const {
  std::vector<std::string> list;
  for (const Key& key : keys) list.push_back(key.name);
  return list;
}

const std::vector<Form>& forms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> list;
    for (const auto& part : {settings(), tensors(), fills(), references(), workloads()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Form& form(std::string_view name) { return named(forms(), name); }

const std::vector<Words>& word_lists() {
  static const std::vector<Words> lists{
      {"role", {"input", "output", "inout"}},             // in the order of Role
      {"op", {"sum", "product", "max", "min", "count"}},  // in the order of Reference::Op
      {"accumulator",
       {"bf16", "e2m1", "e4m3", "e4m3_fnuz", "e5m2", "e5m2_fnuz", "e8m0", "f16", "f32", "f64", "tf32"}},
      {"layout", {"scales_128x4"}},
      {"parameter", {"f32", "f64"}},
      {"structure_dtype", {"f64", "f32", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "bool"}},
      {"backend", backend_names()},
      {"feature", {"bf16", "f64", "fp4", "fp6", "fp8", "tf32"}},
      {"over", {"row", "tensor"}},
      {"part", {"upper", "lower"}}};
  return lists;
}

const std::vector<std::string>& words(std::string_view list) { return named(word_lists(), list).words; }

std::vector<std::string_view> alternatives(std::string_view holds) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t at = 0; at <= holds.size(); ++at) {
    const char c = at < holds.size() ? holds[at] : '|';
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c != '|' || depth > 0) continue;
    parts.push_back(trimmed(holds.substr(first, at - first)));
    first = at + 1;
  }
  return parts;
}

}  // namespace podium::problem
