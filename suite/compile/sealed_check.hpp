// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Holds a launch list against the code that it launches, before anything runs.
#pragma once
#include <string>
#include <vector>

#include "suite/compile/code_object.hpp"
#include "suite/compile/sealed_resolve.hpp"
#include "suite/problem/yaml/mistakes.hpp"

namespace podium::compile {

// Code as a builder made it, or a file has it.
struct MadeCode {
  std::string bytes;
  CodeObject about;
  // Of a kernel in Python; "" for others. Threads 0: as the code requires. `trailing`: how many null
  // addresses the kernel may take behind its arguments.
  std::string symbol;
  std::uint32_t threads = 0, shared = 0;
  int trailing = 0;
  std::string hidden_advice;  // as its language has it
};

// Reads code that was compiled: machine code, a container of it, or what suite/compile/python writes; where
// `translated`, what an emulated device takes in its place. Throws podium::Error, a sentence without place.
MadeCode made_code(const Language& language, const std::string& file, const std::string& architecture,
                   bool translated = false);

// Fills in what only the code says - which code of a .sealed.yaml has the kernel, blocks and trailing
// arguments of kernels in Python - and notes every launch that does not fit: no such kernel, other arguments,
// a block or cluster that the kernel does not take, code for another architecture.
void fit(Resolved& resolved, const std::vector<MadeCode>& codes, const std::string& architecture,
         problem::Mistakes& mistakes);

}  // namespace podium::compile
