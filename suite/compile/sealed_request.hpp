// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a compiler of Python is asked for: one kernel for one set of constants.
#pragma once
#include <string>
#include <vector>

#include "suite/compile/sealed_manifest.hpp"
#include "suite/protocol/bundle.hpp"

namespace podium::compile {

struct NamedNumber {
  std::string name;
  double value = 0;
};

// JSON; suite/compile/python says what its keys mean. `target`: "sm_90", "gfx942"; `ptx`: in place of machine
// code.
std::string request_for(const Language& language, const Manifest::Launch& launch,
                        const std::vector<TypedArgument>& arguments,
                        const std::vector<NamedNumber>& constants, const std::vector<NamedNumber>& options,
                        const std::string& target, int warp, bool ptx);

// What the kernel takes for these.
std::vector<protocol::Bundle::Argument> passed(const Language& language,
                                               const std::vector<TypedArgument>& arguments);

}  // namespace podium::compile
