// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/publish/sources.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/sources.hpp"

namespace podium::publish {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json source_json(const std::string& file, const std::string& text) {
  const auto ends = std::ranges::count(text, '\n');
  return {{"file", file},
          {"text", text},
          {"lines", ends + (text.empty() || text.ends_with('\n') ? 0 : 1)},
          {"license", record::license_of(text)}};
}

struct Named {
  std::string hash;  // by which runs name it: of a sealed contestant also of its code objects
  std::string file;
};
// What runs name, by the hash of the text alone.
using Names = std::multimap<std::string, Named>;

Names named_in(const std::vector<FoundRun>& runs) {
  Names names;
  std::set<std::string> seen;
  const auto add = [&](const std::string& text_hash, const std::string& hash, const std::string& file) {
    if (!hash.empty() && seen.insert(hash).second) names.emplace(text_hash, Named{hash, file});
  };
  for (const FoundRun& found : runs) {
    for (const auto& board : found.provenance.boards) {
      add(board.sha256, board.sha256, "problem.yaml");
      for (const auto& [file, hash] : board.files) add(hash, hash, file);
    }
    for (const auto& contestant : found.provenance.contestants) {
      add(record::text_hash(contestant), contestant.sha256, contestant.file);
      for (const auto& [file, hash] : contestant.included) add(hash, hash, file);
    }
  }
  return names;
}

void add(const std::string& text_hash, const std::string& text, const Names& names, json& all) {
  const auto [first, last] = names.equal_range(text_hash);
  for (auto named = first; named != last; ++named)
    if (!all.contains(named->second.hash)) all[named->second.hash] = source_json(named->second.file, text);
}

}  // namespace

json sources_of(const std::vector<FoundRun>& runs, const fs::path& problems,
                std::vector<std::string>& faults) {
  const Names names = named_in(runs);
  json all = json::object();
  for (const FoundRun& found : runs) try {
      for (const auto& [hash, source] : record::read_sources(found.run.folder, found.provenance))
        add(hash, source.text, names, all);
    } catch (const Error& e) {
      faults.emplace_back(e.what());
    }
  if (problems.empty()) return all;
  for (const auto& entry : fs::recursive_directory_iterator(problems)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = text_of(entry.path());
    add(record::sha256(text), text, names, all);
  }
  return all;
}

}  // namespace podium::publish
