// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/device_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>

#include <charconv>
#include <utility>

#include "suite/base/user.hpp"
#include "suite/contest/device_files.hpp"
#include "suite/contest/failure.hpp"

namespace podium::contest {
namespace {

constexpr int firmware_patience =
    60'000;  // milliseconds; the first process on a GPU may wait for its firmware

struct Attempt {
  bool open = false, answered = true;
  std::string words;  // the number of GPUs that it sees, or why not
};

Attempt attempt(const Executables& executables, const Place& place, const sandbox::Sandbox& sandbox) {
  const Descriptor output(memfd_create("podium-output", MFD_CLOEXEC));
  std::vector<std::string> arguments = place_arguments(sandbox, place.pci);
  arguments.insert(arguments.end(), {"--open", std::to_string(place.ordinal)});
  sandbox::Child child({.program = executables.worker,
                        .arguments = std::move(arguments),
                        .descriptors = {},
                        .environment = executables.environment,
                        .output = output.get(),
                        .sandbox = sandbox});
  const auto end = child.ended(firmware_patience);
  if (!end) return {false, false, fmt::format("no answer in {} s", firmware_patience / 1000)};
  const std::string words = last_words(output.get());
  if (end == sandbox::succeeded) return {true, true, words};
  return {false, true, words.empty() ? words_of(*end) : words};
}

}  // namespace

sandbox::Sandbox worker_sandbox(const Executables& executables, const std::string& pci) {
  sandbox::Sandbox sandbox;
  sandbox.hidden = other_device_files(pci).value_or(std::vector<std::string>{});
  sandbox.kept = executables.folders;
  if (sandbox.means.has(sandbox::Means::uid)) sandbox.uid = worker_uid();
  return sandbox;
}

std::vector<std::string> place_arguments(const sandbox::Sandbox& sandbox, const std::string& pci) {
  if (!sandbox.hides() || pci.empty()) return {};
  return {"--at", pci};
}

Access access_to(const Executables& executables, const Place& place) {
  const sandbox::Sandbox whole = worker_sandbox(executables, place.pci);
  const Attempt first = attempt(executables, place, whole);
  if (first.open) {
    int gpus = 0;
    const char* const end = first.words.data() + first.words.size();
    const bool told = std::from_chars(first.words.data(), end, gpus).ec == std::errc();
    if (whole.hides() && !place.pci.empty() && (!told || gpus > 1))
      return {.closed = fmt::format("it counts \"{}\" GPUs, expected 1 since all others are hidden from it; "
                                    "PODIUM_SANDBOX_WITHOUT='one device' hides none, which is recorded",
                                    first.words),
              .gpus = gpus};
    return {.closed = "", .gpus = gpus};
  }
  std::vector<std::string> enough;
  for (const sandbox::Means means : sandbox::all_means) {
    // Nobody waits a minute for each; and this worker is neither parked nor limited in memory.
    if (!first.answered || !whole.means.has(means) || means == sandbox::Means::hold ||
        means == sandbox::Means::memory)
      continue;
    sandbox::Sandbox other = whole;
    other.means.set(means, false);
    if (means == sandbox::Means::mounts) other.means.set(sandbox::Means::processes, false);
    if (means == sandbox::Means::uid) other.uid.reset();
    if (attempt(executables, place, other).open) enough.push_back(fmt::format("'{}'", name_of(means)));
  }
  if (enough.empty()) return {.closed = first.words};
  return {.closed = fmt::format("{}; it can with PODIUM_SANDBOX_WITHOUT={}", first.words,
                                fmt::join(enough, " or "))};
}

void require_open(const Executables& executables, const Place& place) {
  const Access access = access_to(executables, place);
  if (!access.closed.empty())
    throw Error(fmt::format("the judge can open the device, but a worker in its sandbox cannot: {}; "
                            "`podium doctor` says what the sandbox consists of",
                            access.closed),
                Fault::device);
}

void require_one_device(const std::string& pci) {
  if (const sandbox::Grant one = one_device_on(pci); !one.held)
    throw Error(fmt::format("--require-sandbox: a worker could use another GPU than the one of its run ({})",
                            one.detail));
}

}  // namespace podium::contest
