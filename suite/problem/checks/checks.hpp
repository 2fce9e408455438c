// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The built-in checks: a row of one table each. The format's keys, the parser, faults of instances, the
// kernels of judge's programs and the judge's sentences follow from it; what a kernel calls stands in
// suite/problem/program/check.hpp.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "suite/problem/model/instance.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/format.hpp"

namespace podium::problem {

// What is known of the problem while its checks are read.
struct CheckReader {
  const Problem& problem;
  const std::set<std::string>& unclear;  // tensors with mistakes: nothing is held against them
};

// A tensor's instance by its name.
using CheckedTensors = std::function<const TensorInstance&(const std::string&)>;

// C++ of the judge's program about a tensor.
class CheckCode {
 public:
  virtual ~CheckCode() = default;
  virtual std::string element(const std::string& tensor) const = 0;                    // its type
  virtual std::string data(const std::string& tensor, bool before = false) const = 0;  // before the call
  virtual std::string count(const std::string& tensor) const = 0;                      // of elements
  // The extent of the last axis, or of that many axes before it; 1 of a single number.
  virtual std::string row(const std::string& tensor, std::size_t before_last = 0) const = 0;
};

// What the kernels podium_check_NAME and podium_before_NAME call, in podium::program; "": there is none.
struct CheckKernels {
  std::string check, before = "";
};

// Elements of outputs, to say what is wrong with them.
class CheckedElements {
 public:
  virtual const TensorInstance& tensor(const std::string& name) const = 0;
  virtual std::string name(const std::string& tensor, std::int64_t at) const = 0;  // "y[3]"
  virtual std::string is(const std::string& tensor, std::int64_t at) const = 0;    // "y[3] is 7"
  // The first element of the same row that holds the same number; -1 if `at` holds NaN, or there is none.
  virtual std::int64_t first_equal(const std::string& tensor, std::int64_t at) const = 0;

 protected:
  ~CheckedElements() = default;
};

struct WrongElements {
  std::int64_t count = 0, first = -1;  // first: linear index
};

struct BuiltinCheck {
  // count: its kernel counts wrong elements. other_multiset: its kernels hash two multisets, which must be
  // equal. nonfinite: it has no kernel, as every output is searched for what is not finite.
  enum class Finds { count, other_multiset, nonfinite };
  std::string name, holds, says;  // its key in the format
  std::vector<Key> options = {};  // keys beside it
  std::vector<Words> words = {};  // that the options choose from
  Finds finds = Finds::count;
  bool reads_inputs = false;  // whether it says what the elements must be, and so verifies an output
  bool hash_tables = false;   // whether its kernel needs them: suite/problem/program/check.hpp
  void (*parse)(const CheckReader& reader, const Cursor& check, const Cursor& own, Check& into) = nullptr;
  // What is wrong with the shapes of its tensors; "" if nothing.
  std::string (*fault)(const Check& check, const CheckedTensors& tensors) = nullptr;
  CheckKernels (*kernels)(const Check& check, const CheckCode& code) = nullptr;
  // What is wrong with what a contestant wrote.
  std::string (*wrong)(const Check& check, const CheckedElements& elements,
                       const WrongElements& found) = nullptr;
};

const std::vector<BuiltinCheck>& builtin_checks();

std::vector<std::string> names_of_checks();
std::vector<Key> keys_of_checks();  // the names, then the options
std::vector<Words> words_of_checks();

// Reads the built-in check that the map `cursor` names into `check`; whether it names one.
bool parse_builtin(const CheckReader& reader, const Cursor& cursor, Check& check);

// What is wrong with a built-in check for the shapes of its tensors; "" if nothing.
std::string fault_of_check(const Check& check, const std::vector<TensorInstance>& tensors);

}  // namespace podium::problem
