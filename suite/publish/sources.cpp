// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/publish/sources.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "suite/base/file_text.hpp"
#include "suite/record/provenance.hpp"

namespace podium::publish {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// "Apache-2.0" of a line "// SPDX-License-Identifier: Apache-2.0"; "" without one.
std::string license_of(std::string_view text) {
  constexpr std::string_view key = "SPDX-License-Identifier:";
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return "";
  std::string_view line = text.substr(at + key.size());
  line = line.substr(0, line.find('\n'));
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(line.substr(first, line.find_last_not_of(" \t\r*/") + 1 - first));
}

json source_json(const std::string& file, const std::string& text) {
  const auto ends = std::ranges::count(text, '\n');
  return {{"file", file},
          {"text", text},
          {"lines", ends + (text.empty() || text.ends_with('\n') ? 0 : 1)},
          {"license", license_of(text)}};
}

// Every hash that a run names, with the name of its file.
std::map<std::string, std::string> named_in(const std::vector<FoundRun>& runs) {
  std::map<std::string, std::string> names;
  for (const FoundRun& found : runs) {
    const auto provenance = record::provenance_from(found.run.provenance);
    for (const auto& board : provenance.boards) names.emplace(board.sha256, "problem.yaml");
    for (const auto& contestant : provenance.contestants) {
      names.emplace(contestant.sha256, contestant.file);
      for (const auto& [file, hash] : contestant.included) names.emplace(hash, file);
    }
    // Of a sealed one the source alone, where the other hash is also of its code objects.
    for (const json& contestant : found.run.provenance.value("contestants", json::array()))
      if (const std::string hash = contestant.value("text_sha256", ""); !hash.empty())
        names.emplace(hash, contestant.value("file", ""));
  }
  names.erase("");
  return names;
}

// Adds those files below `folder` that `names` has by their hash.
void add_from(const fs::path& folder, const std::map<std::string, std::string>& names, json& all) {
  std::error_code none;  // no such folder
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = text_of(entry.path());
    const auto named = names.find(record::sha256(text));
    if (named != names.end() && !all.contains(named->first))
      all[named->first] = source_json(named->second, text);
  }
}

}  // namespace

json sources_of(const std::vector<FoundRun>& runs, const fs::path& problems) {
  const auto names = named_in(runs);
  json all = json::object();
  for (const FoundRun& found : runs) add_from(found.run.folder / "sources", names, all);
  if (!problems.empty()) add_from(problems, names, all);
  return all;
}

}  // namespace podium::publish
