// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The one exception type of Podium's own code: a sentence for the user and what is at fault.
#pragma once
#include <stdexcept>
#include <string>

#include "suite/base/verdict.hpp"

namespace podium {

// `what()` is one sentence: where, what was found, what was expected, what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence, Fault fault = Fault::input)
      : runtime_error(sentence), fault_(fault) {}
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

}  // namespace podium
