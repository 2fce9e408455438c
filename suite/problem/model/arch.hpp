// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Architecture names: which devices a contestant's `arch` or a problem's `requires` admits, and which code is
// generated for them.
//
//   sm_90    code for it; devices of the same major version from 9.0 on
//   sm_90a   code and devices of 9.0 alone
//   sm_80+   code for the device's own architecture; devices from 8.0 on
//   sm_100f  devices of 10.x from 10.0 on
//   gfx942   code and devices of gfx942 alone
// A contestant's `arch` may name several of a vendor's, which stand here in one text with blanks between; the
// first that admits the device counts. In it a name of one vendor says nothing about the other's devices, nor
// about the host.
#pragma once
#include <optional>
#include <string>

namespace podium::problem {

// Why `arch` is no architecture name, as "found ..., expected ..."; empty if it is one.
std::string arch_mistake(const std::string& arch);

// Whether a device of `architecture` ("" for the host) is one of those that `arch` names.
bool admits(const std::string& arch, const std::string& architecture);

// What code a contestant with this `arch` (may be empty) gets on a device of `architecture` ("sm_90",
// "gfx942:sramecc+", "" for the host): "sm_90a". None if the device is not admitted. All names are
// well-formed.
std::optional<std::string> code_for(const std::string& arch, const std::string& backend,
                                    const std::string& architecture);

}  // namespace podium::problem
