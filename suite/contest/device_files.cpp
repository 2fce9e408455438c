// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/device_files.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace podium::contest {
namespace {

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
