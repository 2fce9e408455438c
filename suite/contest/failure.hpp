// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How a contestant failed.
#pragma once
#include <optional>
#include <string>

#include "suite/base/verdict.hpp"
#include "suite/sandbox/process.hpp"

namespace podium::contest {

struct Failure {
  Verdict verdict;
  std::string text;       // evidence, one sentence
  std::string again{};    // options of `podium verify` that repeat the call that is to blame; "" if none is
  std::string printed{};  // what the worker printed last: a traceback
};

// Of a worker that ended by itself; nothing: it closed its channel.
Failure failure_of(const std::optional<sandbox::End>& end);
Verdict of_judge(Verdict said);               // what a judge cannot say becomes broke_protocol
std::string plain(const std::string& words);  // what a contestant says, fit for a row
std::string last_words(int output);           // the last line that a worker wrote there, likewise
std::string last_printed(int output);         // the last lines, likewise, but for the line ends

}  // namespace podium::contest
