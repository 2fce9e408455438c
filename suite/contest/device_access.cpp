// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/device_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <ranges>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/base/user.hpp"
#include "suite/contest/failure.hpp"
#include "suite/protocol/channel.hpp"

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

namespace fs = std::filesystem;

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Files of that name and a number: "nvidia3", and neither "nvidiactl" nor "nvidia-uvm".
void add_numbered(std::vector<std::string>& files, const fs::path& folder, std::string_view word) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(word) && is_number(std::string_view(name).substr(word.size())))
      files.push_back(entry.path());
  }
}

// The number in the name of its file, as NVIDIA's driver tells; empty: it does not.
std::string nvidia_minor(const std::string& pci, const fs::path& root) {
  const std::string key = "Device Minor:";
  std::ifstream in(root / "proc/driver/nvidia/gpus" / pci / "information");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    line.erase(0, line.find_first_not_of(" \t", key.size()));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    return is_number(line) ? line : "";
  }
  return "";
}

// Of AMD's partitions all but the first: a device on no PCI bus, whose processes name the first one's
// address.
bool is_part(const fs::path& file, const fs::path& root) {
  std::error_code none;
  const auto bus = fs::read_symlink(root / "sys/class/drm" / file.filename() / "device/subsystem", none);
  return !none && bus.filename() != "pci";
}

}  // namespace

std::vector<std::string> places_of(const protocol::Opened& first, int ranks) {
  std::vector<std::string> places{protocol::get(first.pci)};
  for (int rank = 1; rank < ranks; ++rank) places.push_back(protocol::get(first.others[rank - 1]));
  return places;
}

sandbox::Sandbox worker_sandbox(const Executables& executables, const std::vector<std::string>& places) {
  sandbox::Sandbox sandbox;
  sandbox.hidden = other_device_files(places.front()).value_or(std::vector<std::string>{});
  for (const std::string& place : std::views::drop(places, 1)) {
    const auto others = other_device_files(place).value_or(std::vector<std::string>{});
    std::erase_if(sandbox.hidden,
                  [&](const std::string& file) { return std::ranges::find(others, file) == others.end(); });
  }
  sandbox.kept = executables.folders;
  if (sandbox.means.has(sandbox::Means::uid)) sandbox.uid = worker_uid();
  return sandbox;
}

std::vector<std::string> place_arguments(const sandbox::Sandbox& sandbox, const std::string& pci) {
  if (!sandbox.hides() || pci.empty()) return {};
  return {"--at", pci};
}

Access access_to(const Executables& executables, const Place& place) {
  const sandbox::Sandbox whole = worker_sandbox(executables, {place.pci});
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

std::optional<std::vector<std::string>> other_device_files(const std::string& pci, const fs::path& root) {
  const fs::path dev = root / "dev";
  std::vector<std::string> files;
  add_numbered(files, dev, "nvidia");
  const std::size_t nvidia = files.size();
  for (const char* word : {"card", "renderD"}) add_numbered(files, dev / "dri", word);
  std::ranges::sort(files);
  if (pci.empty()) return files;
  if (std::ranges::any_of(files, [&](const std::string& file) { return is_part(file, root); }))
    return std::nullopt;
  if (files.empty() || (nvidia == 1 && files.size() == 1)) return std::vector<std::string>{};

  std::string address = pci;  // CUDA writes it in capitals, the kernel does not
  std::ranges::transform(address, address.begin(), [](unsigned char c) { return std::tolower(c); });
  std::vector<std::string> own;
  if (const auto minor = nvidia_minor(address, root); !minor.empty()) own.push_back(dev / ("nvidia" + minor));
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / "sys/bus/pci/devices" / address / "drm", none))
    own.push_back(dev / "dri" / entry.path().filename());
  const auto erased = std::erase_if(
      files, [&](const std::string& file) { return std::ranges::find(own, file) != own.end(); });
  if (erased == 0) return std::nullopt;
  return files;
}

std::vector<sandbox::Grant> grants_on(const std::string& pci, const fs::path& root) {
  std::vector<sandbox::Grant> all = sandbox::grants();
  sandbox::Grant& grant = all[static_cast<std::size_t>(sandbox::Means::one_device)];
  if (sandbox::is_left_out(grant.means)) return all;
  const auto others = other_device_files(pci, root);
  if (!others) {
    grant.held = false;
    grant.detail = "there are several, and no file in /dev is known to be the chosen one";
  } else if (others->empty()) {
    grant.held = true;
    grant.detail = "there is no other";
  }
  return all;
}

sandbox::Grant one_device_on(const std::string& pci, const fs::path& root) {
  return grants_on(pci, root)[static_cast<std::size_t>(sandbox::Means::one_device)];
}

}  // namespace podium::contest
