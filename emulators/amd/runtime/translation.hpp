// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The translation of a code object's kernels, a library found in the cache or made now by the translator,
// which is a program of its own.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

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

// Runs a program with these variables alone, its standard error in the file `log`, and waits. "" if it ended
// with status 0, else what it wrote, or why it could not be started.
std::string run_program(const std::vector<std::string>& words, const std::vector<std::string>& variables,
                        const std::filesystem::path& log);

std::string file_contents(const std::filesystem::path& file);  // "" of what cannot be read
std::filesystem::path scratch_folder();                        // TMPDIR, else /tmp: a worker's own

}  // namespace podium::amd
