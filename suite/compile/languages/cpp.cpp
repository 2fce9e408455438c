// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// C++: for the CPU, and in the common dialect of CUDA and HIP.
#include "suite/compile/languages/language.hpp"

namespace podium::compile {
namespace {

bool anywhere(const Backend&) { return true; }
bool on_gpus(const Backend& backend) { return backend.gpu; }
bool on_processors(const Backend& backend) { return !backend.gpu; }

}  // namespace

std::vector<Language> portable() {
  return {{.name = "portable",
           .title = "CUDA/HIP",
           .suffix = ".gpu.cpp",
           .comment = "//",
           .runs_on = anywhere,
           .first = FirstText::kernel,
           .for_gpus = true}};
}

std::vector<Language> sealed_portable() {
  return {{.name = "portable",
           .title = "CUDA/HIP",
           .suffix = ".sealed.gpu.cpp",
           .comment = "//",
           .runs_on = on_gpus,
           .first = FirstText::sealed_kernel,
           .for_gpus = true,
           .sealed = SealedForm::source}};
}

std::vector<Language> native() {
  return {{.name = "native",
           .title = "C++",
           .suffix = ".cpp",
           .comment = "//",
           .runs_on = on_processors,
           .first = FirstText::loop}};
}

}  // namespace podium::compile
