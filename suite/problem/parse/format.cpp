// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table itself: a form a section of the file, in the order of the file.
#include "suite/problem/parse/format.hpp"

#include <stdexcept>
#include <type_traits>

#include "suite/base/backend.hpp"
#include "suite/problem/checks/checks.hpp"
#include "suite/problem/fills/fills.hpp"
#include "suite/problem/formula/reference_forms.hpp"

namespace podium::problem {
namespace {

constexpr bool needed = true;

std::vector<Key> a_name_each_backend() {
  std::vector<Key> keys;
  for (const Backend& backend : backends()) keys.push_back({backend.name, "name", "On " + backend.devices});
  return keys;
}

template <class Item>
std::vector<Item> joined(std::vector<Item> list, const std::type_identity_t<std::vector<Item>>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& one : list) names.emplace_back(one.name);
  return names;
}

// `value`: what to say of the form `value` in place of its row.
std::vector<Key> keys_of_forms(const std::string& value = "") {
  std::vector<Key> keys;
  for (const ReferenceForm& one : reference_forms())
    keys.push_back({one.name, one.holds, one.name == "value" && !value.empty() ? value : one.says});
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
                {"ranks", "[ranks]",
                 "How many devices compute together, as in [2, 4, 8]; each number is a board, and an axis"},
                {"symmetric", "formula", "Bytes of each rank's memory that all ranks reach (0)"},
                {"structure", "{structure}",
                 "Small data that shapes the work: lengths, offsets, page tables; computed once a round"},
                {"tensors", "{tensor}", "Inputs and outputs, in the order that contestants see", needed},
                {"reference", "python_file | {reference}",
                 "What outputs are compared with, evaluated in fp64; or a file in Python"},
                {"adapter", "python_file",
                 "A file in Python that calls contestants which have neither run nor Contestant"},
                {"checks", "{check}", "What must hold of outputs that are not unique"},
                {"probe", "{probe}", "Vectors of +-1, drawn after the call, that checks read like tensors"},
                {"sample", "{count}",
                 "How many values of an output's index are verified; others are taken whole"},
                {"cost", "cost", "Least traffic and arithmetic, for rates"},
                {"workloads", "workloads", "Sizes: test, quick and bench", needed},
                {"requires", "requires", "What a device must grant"},
                {"baseline", "baseline", "The contestant that times are related to, by backend"}}},
      {.name = "python_file",
       .says = "A file of the problem's folder, in Python",
       .keys = {{"python", "name", "Its name, as in reference.py", needed},
                {"framework", "python_framework", "What its tensors are (numpy)"},
                {"modules", "[name]", "Further files that it imports by name, as in [origin/task.py]"}}},
      {.name = "cost",
       .says = "Of one call",
       .keys = {{"bytes", "formula", "Least traffic; auto: inputs read once, outputs written once"},
                {"flops", "formula", "Arithmetic operations"},
                {"link", "formula", "Bytes that each rank sends to others, at least"}}},
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
                {"private", "truth", "An input that contestants do not see (false)"},
                {"per_rank", "per_rank",
                 "each: the first axis is the rank; shard: it is cut into equal parts, one a rank"}}},
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
       .keys = keys_of_fills()},
      {.name = "value_fill",
       .says = "A term over the element's indices, with draws random(k) and normal(k)",
       .keys = {{"index", "[name]", "A name for each axis, in order", needed},
                {"value", "term", "As in \"random(0, min(i, j), max(i, j))\": a symmetric matrix", needed}}},
      {.name = "derived_fill",
       .says =
           "A reference over other inputs, rounded once: the same on each backend, not the same bits on all",
       .keys = joined(std::vector<Key>{{"index", "[name]", "A name for each axis, in order", needed}},
                      keys_of_forms("As in \"exp(x(i, j)) / total(i)\"")),
       .one_of = names_of(reference_forms())},
  };
}

std::vector<Form> checks() {
  return {
      {.name = "check",
       .says = "What must hold of outputs: a built-in check, or a result that must not exceed a limit",
       .keys = joined(keys_of_checks(),
                      {{"index", "[name] | {range}", "Where it must hold: names and ranges, or names alone"},
                       {"value", "term", "A C++ expression, as in \"y(i) - y.reference(i)\""},
                       {"reduce", "reduce", "A sum, product, maximum, minimum or count"},
                       {"limit", "formula", "What the result must not exceed in size"}}),
       .one_of = joined(names_of_checks(), {"value", "reduce"})},
      {.name = "probe",
       .says = "A vector of +-1, drawn after the call",
       .keys = {{"shape", "[formula]", "Its extents, as in [n]", needed}}},
  };
}

std::vector<Form> references() {
  std::vector<Form> all{
      {.name = "reference",
       .says = "f[index] = value, or a reduction; each uses inputs and other references",
       .keys = joined(
           joined(std::vector<Key>{{"index", "[name] | {range}",
                                    "An output's indices in shape order; else names and ranges", needed}},
                  keys_of_forms()),
           {{"unless", "name",
             "A reference: where it is not zero the output need only be finite, as at near-ties"},
            {"any", "formula",
             "Where it is not zero, an element of the output may hold anything, as in \"t >= length(b)\""}}),
       .one_of = names_of(reference_forms())},
      {.name = "range_map",
       .says = "From low to high, which is not included",
       .keys = {{"low", "formula", "0 unless stated"},
                {"high", "formula", "Not included", needed},
                {"most", "formula", "Its most values, where low and high use outer indices"}}},
  };
  for (const ReferenceForm& one : reference_forms())
    if (!one.keys.empty()) all.push_back({.name = one.name, .says = one.map_says, .keys = one.keys});
  return joined(std::move(all), checks());
}

std::vector<Form> workloads() {
  return {
      {.name = "workloads",
       .says = "Sizes, by stage",
       .keys = {{"test", "[workload]", "Small and awkward; verified in full, never ranked", needed},
                {"quick", "[workload]", "Seconds on a laptop's CPU"},
                {"bench", "[workload]", "Those of published tables"},
                {"defaults", "{number}",
                 "Numbers of axes and parameters, for workloads that do not state them"}}},
      {.name = "workload",
       .says = "A number for each axis and parameter; a dtype for keys of types, to run on those boards only",
       .keys = {{"name", "name", "In tables; made of the numbers that it states unless given"},
                {"fill", "{fill}", "Fills that differ on this workload, by input"},
                {"ranks", "ranks", "To run on boards of so many ranks only"}},
       .others = "number | dtype"},
  };
}

template <class List>
const auto& named(const List& list, std::string_view name) {
  for (const auto& item : list)
    if (item.name == name) return item;
  throw std::logic_error("the format has no " + std::string(name));
}

}  // namespace

const std::vector<Form>& forms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> list;
    for (const auto& part : {settings(), tensors(), fills(), forms_of_fills(), references(), workloads()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Form& form(std::string_view name) { return named(forms(), name); }

const std::vector<Words>& word_lists() {
  static const std::vector<Words> lists = [] {
    const std::vector<Words> all{
        {"role", names_of(roles)},
        {"op", names_of(operations)},
        {"accumulator",
         {"bf16", "e2m1", "e4m3", "e4m3_fnuz", "e5m2", "e5m2_fnuz", "e8m0", "f16", "f32", "f64", "tf32"}},
        {"layout", {"scales_128x4"}},
        {"per_rank", names_of(parts_of_ranks)},
        {"parameter", {"f32", "f64"}},
        {"structure_dtype", {"f64", "f32", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "bool"}},
        {"backend", backend_names()},
        {"python_framework", {python_frameworks.begin(), python_frameworks.end()}},
        {"feature", {"bf16", "f64", "fp4", "fp6", "fp8", "tf32"}}};
    return joined(joined(all, words_of_fills()), words_of_checks());
  }();
  return lists;
}

const std::vector<std::string>& words(std::string_view list) { return named(word_lists(), list).words; }

}  // namespace podium::problem
