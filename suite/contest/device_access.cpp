// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/device_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>

#include "suite/base/user.hpp"
#include "suite/contest/session_requests.hpp"

namespace podium::contest {
namespace {

constexpr int patience = 60'000;  // milliseconds; the first process on a GPU may wait for its firmware

struct Attempt {
  bool open = false, answered = true;
  std::string words;  // why not
};

Attempt attempt(const Executables& executables, int ordinal, const Sandbox& sandbox) {
  const Descriptor output(memfd_create("podium-output", MFD_CLOEXEC));
  Child child({.program = executables.worker,
               .arguments = {"--open", std::to_string(ordinal)},
               .descriptors = {},
               .environment = executables.environment,
               .output = output.get(),
               .sandbox = sandbox});
  const auto how = child.ended(patience);
  if (!how) return {false, false, fmt::format("no answer in {} s", patience / 1000)};
  if (*how == well_ended) return {true, true, ""};
  const std::string words = last_words(output.get());
  return {false, true, words.empty() ? *how : words};
}

}  // namespace

Sandbox worker_sandbox(const Executables& executables) {
  Sandbox sandbox;
  sandbox.kept = executables.folders;
  if (sandbox.means.has(Means::uid)) sandbox.uid = worker_uid();
  return sandbox;
}

std::string why_closed(const Executables& executables, int ordinal) {
  const Sandbox whole = worker_sandbox(executables);
  const Attempt first = attempt(executables, ordinal, whole);
  if (first.open) return "";
  std::vector<std::string> enough;
  for (const Means means : all_means) {
    if (!first.answered || !whole.means.has(means)) continue;  // nobody waits a minute for each
    Sandbox other = whole;
    other.means.set(means, false);
    if (means == Means::mounts) other.means.set(Means::processes, false);
    if (means == Means::uid) other.uid.reset();
    if (attempt(executables, ordinal, other).open) enough.push_back(fmt::format("'{}'", name_of(means)));
  }
  if (enough.empty()) return first.words;
  return fmt::format("{}; it can with PODIUM_SANDBOX_WITHOUT={}", first.words, fmt::join(enough, " or "));
}

void require_open(const Executables& executables, int ordinal) {
  if (const std::string why = why_closed(executables, ordinal); !why.empty())
    throw Error(fmt::format("a worker in its sandbox cannot open the device, which podium's judge can: {}; "
                            "`podium doctor` says what the sandbox consists of",
                            why),
                Exit::no_device);
}

}  // namespace podium::contest
