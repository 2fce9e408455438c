// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A sealed contestant on one board: every formula evaluated for every workload, and which code it takes.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "suite/compile/contestant.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/protocol/sealed_program.hpp"

namespace podium::compile {

// What formulas may ask of the device, 0: not known; and in which form it takes code.
struct DeviceFacts {
  int warp = 0;             // lanes
  int multiprocessors = 0;  // compute units
  bool translated = false;  // emulated from PTX: there is no machine code for it
};
// Lanes of a warp of that architecture.
int warp_of(const std::string& architecture);
// Bytes of shared memory that a block may have there.
int shared_memory_of(const std::string& architecture);

// One code object that has to be made.
struct CodeSpec {
  std::map<std::string, std::int64_t> defines;  // of a source: macros
  std::string request;                          // of a kernel in Python: JSON for suite/compile/python
  bool operator==(const CodeSpec&) const = default;
};

struct Resolved {
  std::vector<CodeSpec> codes;
  // `code` of a launch is an index into `codes`; of a .sealed.yaml it is -1, and of Python block and shared
  // memory are not known yet. A launch with an empty grid is left out.
  std::vector<protocol::SealedProgram::List> lists;
  struct Origin {
    std::string workload;  // "bench workload rows=…": the first with this list
    std::vector<const Manifest::Launch*> prepare, launches;  // what each launch was made of
  };
  std::vector<Origin> origins;  // of each list
  bool lacks_device = false;    // `multiprocessors` was asked for and is not known
};

// All workloads of the board but those that `when` excludes. Throws podium::Error with file and line: a
// number that is not whole, or out of range.
Resolved resolve(const problem::Problem& problem, const problem::Choice& choice, const Contestant& contestant,
                 const std::string& code, const DeviceFacts& device);

}  // namespace podium::compile
