// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Code that was compiled elsewhere, of whatever language: files beside a .sealed.yaml.
#include "suite/compile/languages/language.hpp"

namespace podium::compile {

std::vector<Language> code_objects() {
  return {{.name = "code objects",
           .suffix = ".sealed.yaml",
           .runs_on = [](const Backend& backend) { return backend.gpu; },
           .sealed = SealedForm::objects}};
}

}  // namespace podium::compile
