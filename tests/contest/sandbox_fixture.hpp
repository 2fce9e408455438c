// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A trespasser in a sandbox, and what it said.
#pragma once
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "suite/base/user.hpp"
#include "suite/sandbox/process.hpp"
#include "tests/paths.hpp"

namespace podium::sandbox {

// Does what a worker may not.
inline std::string trespassing_program() { return test::binary_dir() + "/tests/contest/trespasser"; }

inline MeansSet only(std::vector<Means> means) {
  MeansSet set;
  for (const Means each : means) set.set(each);
  return set;
}

inline const Grant& grant_of(Means means) { return grants()[static_cast<std::size_t>(means)]; }

// Why a test of these means cannot be made here; empty: it can.
inline std::string not_granted(const std::vector<Means>& means) {
  for (const Means each : means)
    if (!grant_of(each).held)
      return std::string(name_of(each)) + " is not granted here: " + grant_of(each).detail;
  return "";
}

struct Trespasser {
  Descriptor output{memfd_create("output", MFD_CLOEXEC)};
  Child child;

  Trespasser(std::vector<std::string> words, Sandbox sandbox, std::vector<int> descriptors = {})
      : child({.program = trespassing_program(),
               .arguments = std::move(words),
               .descriptors = std::move(descriptors),
               .output = output.get(),
               .sandbox = sandbox}) {}

  std::string said() const {
    std::string text(1 << 16, '\0');
    const ssize_t got = pread(output.get(), text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }
  // What it said by its end.
  std::string answer() {
    const auto end = child.ended(20000);
    if (end == succeeded) return said();
    return (end ? words_of(*end) : "still running") + "; " + said();
  }
  std::string wait_for_word() {
    for (int i = 0; i < 2000 && said().empty() && !child.ended(0); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return said();
  }
};

inline std::string answer(std::vector<std::string> words, const Sandbox& sandbox) {
  return Trespasser(std::move(words), sandbox).answer();
}

}  // namespace podium::sandbox
