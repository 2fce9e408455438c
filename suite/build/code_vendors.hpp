// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The two vendors' readers behind read_code().
#pragma once
#include "suite/build/code_bytes.hpp"
#include "suite/build/code_object.hpp"

namespace podium::build {

CodeObject read_cubin(const Elf& elf);
CodeObject read_amd(const Elf& elf);

}  // namespace podium::build
