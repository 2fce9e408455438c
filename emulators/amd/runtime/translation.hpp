// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The translation of a code object's kernels, a library found in the cache or made now by the translator,
// which is a program of its own.
#pragma once
#include <string>

#include "emulators/amd/runtime/code_object.hpp"
#include "emulators/amd/wave/state.hpp"

namespace podium::amd {

struct Translation {
  Run run = nullptr;
  Text text = nullptr;  // the instruction at an offset, for people
};

// Of all kernels with waves of `wave` lanes. Kept by content: the code object's bytes, the target and the
// translator's own files. Looked for in PODIUM_EMULATOR_CACHE, which a worker only reads, and made there or
// else in TMPDIR. Throws std::runtime_error: the translator or its compiler is not there, or fails, with what
// it said.
Translation translate(const CodeObject& code, int wave, const std::string& target);

}  // namespace podium::amd
