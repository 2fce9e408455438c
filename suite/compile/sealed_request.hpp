// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What Triton and cuTile are asked to compile: one kernel for one set of constants.
#pragma once
#include <string>
#include <vector>

#include "suite/compile/sealed_manifest.hpp"
#include "suite/protocol/bundle.hpp"

namespace podium::compile {

// An argument as these compilers see it.
struct TypedArgument {
  bool array = false;  // an address
  problem::Dtype dtype = problem::Dtype::i32;
  std::vector<std::int64_t> extents;  // of an array, row-major unless strides are given
  std::vector<std::int64_t> strides;  // in elements
  protocol::Bundle::Argument value;
};

struct NamedNumber {
  std::string name;
  double value = 0;
};

// JSON; suite/compile/python says what its keys mean. `target`: "sm_90", "gfx942"; `ptx`: in place of machine
// code.
std::string request_for(SealedForm form, const Manifest::Launch& launch,
                        const std::vector<TypedArgument>& arguments,
                        const std::vector<NamedNumber>& constants, const std::vector<NamedNumber>& options,
                        const std::string& target, int warp, bool ptx);

// What the kernel takes for these: of cuTile, an array is its address, its extents and its strides.
std::vector<protocol::Bundle::Argument> passed(SealedForm form, const std::vector<TypedArgument>& arguments);

}  // namespace podium::compile
