// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the parser, the generator and the judge lend to a form of references, whose file says with these how
// the form is read, written and launched.
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suite/problem/model/problem.hpp"
#include "suite/problem/yaml/cursor.hpp"

namespace podium::problem {

std::string indices(std::size_t count);  // "1 index", "3 indices"

// Reads a reference whose indices are known.
class FormReader {
 public:
  static constexpr const char* an_expression = "a C++ expression";
  static constexpr const char* a_loop = "a map from indices to ranges, as in { j: cols }";

  FormReader() = default;
  FormReader(const FormReader&) = delete;
  FormReader& operator=(const FormReader&) = delete;
  virtual ~FormReader() = default;

  virtual Reference& reference() = 0;
  virtual std::set<std::string>& own() = 0;  // names of indices that what is read next may use
  // A C++ text. `hidden`: indices that it may not use.
  virtual void take(const std::optional<Cursor>& cursor, const char* what, Text& into,
                    const std::vector<std::string>& hidden) = 0;
  void take(const std::optional<Cursor>& cursor, const char* what, Text& into) {
    take(cursor, what, into, {});
  }
  // Its `term`, which it must have.
  void term(const Cursor& form, const std::vector<std::string>& hidden = {}) {
    take(form.need("term", an_expression), an_expression, reference().term, hidden);
  }
  virtual void keys(const Cursor& form) = 0;  // those of the form's map and no others
  virtual void calls_itself() = 0;            // the text taken last may call the reference
  virtual void loop(const Cursor& over) = 0;
  virtual void op(const Cursor& form) = 0;
  virtual void along(const Cursor& form) = 0;  // one of the reference's own indices
  virtual bool uses_structure(const Text& formula) const = 0;
  virtual bool indices_are_clear(const Cursor& form) const = 0;  // none of them could not be read

  static void truth(const Cursor& form, const char* key, bool& into) {
    if (const auto field = form.find(key)) into = field->truth().value_or(false);
  }
};

// A C++ text of an evaluation's reference as a function of some of its indices.
struct FormFunction {
  std::string name;
  std::vector<std::string> parameters;  // indices and loop indices, by name
  const Text* text = nullptr;
  bool magnitude = false;  // results that it calls are Numbers
  bool carries = false;    // and so are elements of floating tensors, which else are Exact beside them
  std::string result = "podium::program::plain";  // what its value goes through
  std::string prefix = "";                        // a line before: template <…>
  std::string more_parameters = "";               // ", type name"
  std::string locals = "";                        // lines inside, before the text
  std::string itself = "";                        // of a recurrence: the type of its own name in `next`
  std::string itself_made_of = "";                // what that is initialised with
  bool is_void = false;                           // statements that return nothing
};

// Writes the struct podium_evaluation_E that a template of suite/problem/program takes.
class FormWriter {
 public:
  static constexpr const char* i64 = "podium::program::i64";

  FormWriter() = default;
  FormWriter(const FormWriter&) = delete;
  FormWriter& operator=(const FormWriter&) = delete;
  virtual ~FormWriter() = default;

  virtual const Reference& reference() const = 0;
  virtual std::size_t reference_number() const = 0;
  virtual std::size_t number() const = 0;                // of the evaluation: E
  virtual bool keeps_magnitude() const = 0;              // beside its values
  virtual bool carries_magnitude() const = 0;            // through its terms
  virtual bool compensated() const = 0;                  // f64 outputs: compensated sums
  virtual bool integral() const = 0;                     // of form host: whether it holds int64
  virtual int place_of_values() const = 0;               // in the words of the context
  virtual int place_of_bounds(std::size_t k) const = 0;  // of index k; loops follow the indices
  virtual std::string position(std::size_t k) const = 0;
  virtual std::string positions() const = 0;
  virtual std::string type_of(std::size_t k) const = 0;
  virtual void add_text(std::string_view text) = 0;
  virtual void write(const FormFunction& function) = 0;
  // The bounds of dependent ranges as functions of the indices outside of them; before what uses them.
  virtual void bounds() = 0;
  // podium_low_K and podium_high_K of loop k, where the indices outside of it are known.
  virtual void loop_bounds(std::size_t k, const std::string& indent) = 0;

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    add_text(fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  std::vector<std::string> names() const;  // of the indices
  // With a comma before, for the end of a list.
  std::string more_positions() const;
  std::string loop_position(std::size_t k) const;
  // podium_stored_E: the type of `function`'s value, kept with its magnitude where that is asked for.
  void stored(const std::string& function, const std::vector<std::string>& parameters);
  void open() { add("struct podium_evaluation_{} {{", number()); }
  void close() { add_text("};"); }
  void place() { add("  static constexpr int place = {};", place_of_values()); }
  void elements();
  void sum();
  // Lines along index k: how many, how long, how far apart their elements are.
  void lines(std::size_t along);
  // Takes podium_NUMBER apart into the indices for which `wanted`.
  void take_apart(const char* number, const std::vector<bool>& wanted);
  std::vector<bool> all_but(std::size_t along) const;
  void step_index(std::size_t along);
  std::string own(const char* what) const { return fmt::format("podium_{}_{}", what, number()); }
  static std::string call(const std::string& function, const std::vector<std::string>& names);
};

// Launches the kernels of an evaluation.
class FormLaunch {
 public:
  FormLaunch() = default;
  FormLaunch(const FormLaunch&) = delete;
  FormLaunch& operator=(const FormLaunch&) = delete;
  virtual ~FormLaunch() = default;

  virtual const Reference& reference() const = 0;
  virtual std::int64_t elements() const = 0;             // that are evaluated
  virtual std::int64_t extent(std::size_t k) const = 0;  // of index k; loops follow the indices
  virtual std::int64_t count(std::size_t k) const = 0;   // of its values, those that are evaluated
  virtual bool gpu() const = 0;
  virtual std::int64_t group_threads() const = 0;
  virtual int groups_for(std::int64_t items) const = 0;
  virtual int group_each(std::int64_t items) const = 0;
  virtual void set(int place, std::uint64_t value) = 0;  // a word of program/launch.hpp
  void set(int place, std::int64_t value) { set(place, static_cast<std::uint64_t>(value)); }
  virtual void run(const char* kernel, int groups) = 0;         // podium_KERNEL_E
  virtual void run_shared(const char* kernel, int groups) = 0;  // podium_KERNEL

  // Memory, by its address on the device.
  virtual std::uint64_t parts() const = 0;  // partial results, most_parts() of them
  virtual std::int64_t most_parts() const = 0;
  virtual std::uint64_t errors() const = 0;                  // of compensated sums; 0: there are none
  virtual std::uint64_t sort_buffer(bool second) const = 0;  // each of sorted() pairs
  virtual std::int64_t sorted() const = 0;
};

}  // namespace podium::problem
