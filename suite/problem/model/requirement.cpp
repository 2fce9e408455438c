// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/model/requirement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "suite/base/backend.hpp"
#include "suite/problem/model/arch.hpp"

namespace podium::problem {
namespace {

struct Known {
  std::string_view feature;
  std::vector<std::string> architectures;  // as admits() reads them
};

// What later devices of a vendor keep has a "+": the instruction set says "or higher". fp6 and fp4 belong to
// what it calls architecture-specific.
const std::vector<Known>& requirements() {
  static const std::vector<Known> all{
      {"f64", {"sm_80+", "gfx90a", "gfx940", "gfx941", "gfx942", "gfx950"}},
      {"tf32", {"sm_80+", "gfx940", "gfx941", "gfx942"}},
      {"bf16",
       {"sm_80+", "gfx908", "gfx90a", "gfx940", "gfx941", "gfx942", "gfx950", "gfx1100", "gfx1101", "gfx1102",
        "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153", "gfx1200", "gfx1201"}},
      {"fp8", {"sm_89+", "gfx940", "gfx941", "gfx942", "gfx950", "gfx1200", "gfx1201"}},
      {"fp6", {"sm_100", "sm_110", "sm_120", "gfx950"}},
      {"fp4", {"sm_100", "sm_110", "sm_120", "gfx950"}}};
  return all;
}

bool has(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string sentence(const Requirement& requirement, std::string_view key, const std::string& found) {
  return fmt::format("{}:{}: requires.{}: found {}, expected {}{}", requirement.at.file, requirement.at.line,
                     key, found, key == "features" || requirement.words.size() == 1 ? "" : "one of ",
                     fmt::join(requirement.words, ", "));
}

// Every device whose formats are known, and those that a file names itself: sm_90 of sm_90a and sm_90+.
std::vector<std::string> devices(const std::vector<std::string>& named) {
  std::vector<std::string> all = named;
  for (const Known& known : requirements())
    all.insert(all.end(), known.architectures.begin(), known.architectures.end());
  for (std::string& name : all)
    if (name.starts_with("sm_")) name.erase(name.find_last_of("0123456789") + 1);
  return all;
}

}  // namespace

std::vector<std::string> features_of(const std::string& architecture) {
  std::vector<std::string> features;
  for (const Known& known : requirements())
    if (std::any_of(known.architectures.begin(), known.architectures.end(),
                    [&](const std::string& name) { return admits(name, architecture); }))
      features.emplace_back(known.feature);
  return features;
}

std::string unmet(const Problem& problem, const std::string& backend, const std::string& architecture) {
  const std::string device = architecture.empty() ? "the backend " + backend : architecture;
  const auto& backends = problem.backends;
  if (!backends.words.empty() && !has(backends.words, backend))
    return sentence(backends, "backends", "the backend " + backend);
  const auto& architectures = problem.architectures;
  if (!architectures.words.empty() &&
      std::none_of(architectures.words.begin(), architectures.words.end(),
                   [&](const std::string& name) { return admits(name, architecture); }))
    return sentence(architectures, "architectures", device);
  if (backend_named(backend).processor && !problem.features.words.empty())
    return sentence(problem.features, "features", "the CPU, which has no matrix units");
  const std::vector<std::string> known = features_of(architecture);
  for (const std::string& feature : problem.features.words)
    if (!has(known, feature))
      return sentence(problem.features, "features",
                      known.empty()
                          ? device + ", of which none of these is known"
                          : fmt::format("{}, whose matrix units take {}", device, fmt::join(known, ", ")));
  return "";
}

std::string runs_nowhere(const Problem& problem) {
  std::vector<std::string> owners;
  for (const Backend& backend : backends())
    if (!backend.prefix.empty())
      owners.push_back(
          fmt::format("{}… {}of {}", backend.prefix, owners.empty() ? "are devices " : "", backend.name));
    else if (unmet(problem, backend.name, "").empty())
      return "";
  for (const std::string& device : devices(problem.architectures.words)) {
    const Backend* const backend = backend_of(device);
    if (backend && unmet(problem, backend->name, device).empty()) return "";
  }
  std::string stated;
  const auto add = [&](std::string_view key, const Requirement& requirement) {
    if (!requirement.words.empty())
      stated += fmt::format("{}{} {}", stated.empty() ? "" : ", ", key, fmt::join(requirement.words, " "));
  };
  add("backends", problem.backends);
  add("features", problem.features);
  add("architectures", problem.architectures);
  return fmt::format(
      "found what no device meets together ({}), expected what one does; {}, and host has neither features "
      "nor architectures",
      stated, fmt::join(owners, " and "));
}

}  // namespace podium::problem
