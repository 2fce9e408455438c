// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The two vendors' readers behind read_code().
#pragma once
#include "suite/compile/code_bytes.hpp"
#include "suite/compile/code_object.hpp"

namespace podium::compile {

CodeObject read_cubin(const Elf& elf);
CodeObject read_amd(const Elf& elf);

}  // namespace podium::compile
