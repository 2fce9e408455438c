// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a sealed contestant states instead of host code: values, scratch memory, and kernels to launch in
// order.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "suite/compile/languages/language.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::yaml {
struct Node;
}
namespace podium::problem {
class Mistakes;
}

namespace podium::compile {

// Formulas are over axes, parameters, constants, `warp`, `multiprocessors` and the values before; whole
// numbers unless said otherwise. Structure has other numbers in each round: kernels read it, formulas do not.
struct Manifest {
  struct Named {
    std::string name;
    problem::Text formula;
  };
  struct Scratch {  // zeroed when an instance is made
    std::string name;
    problem::Dtype dtype = problem::Dtype::f32;
    std::vector<problem::Text> shape;
  };
  struct Argument {
    enum class Kind { tensor, structure, scratch, number, nil };
    Kind kind = Kind::nil;
    std::size_t index = 0;  // into the problem's visible tensors, its visible structure, or `scratch`
    problem::Dtype dtype = problem::Dtype::i32;  // number
    problem::Text number;
    std::string text;  // as the file spells it
  };
  struct Launch {
    std::string kernel;
    std::vector<problem::Text> grid, block;  // one to three; no block where the compiler chooses it
    problem::Text shared;                    // bytes of dynamic shared memory; "": none
    std::vector<Argument> arguments;
    std::vector<Named> constants, options;  // of Python: known when it is compiled
    problem::Location at;
  };
  struct Code {  // of a .sealed.yaml
    std::filesystem::path file;
    std::string arch;
    problem::Location at;
  };
  std::vector<Named> values;  // real numbers
  std::vector<Scratch> scratch;
  std::vector<Named> define;     // macros of the source
  std::vector<Launch> prepare;   // once for an instance, untimed; without tensors
  std::vector<Launch> launches;  // `run`
  std::vector<Code> code;
};

// The keys that a file of this form may have besides those of all contestants.
const std::vector<std::string>& sealed_keys(SealedForm form);

// Reads them from the map below `podium`. What is wrong is noted, with file and line.
Manifest read_manifest(const yaml::Node& block, const Language& language, const problem::Problem& problem,
                       const std::filesystem::path& file, problem::Mistakes& mistakes);

}  // namespace podium::compile
