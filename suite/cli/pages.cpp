// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/pages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "suite/base/counted.hpp"
#include "suite/base/error.hpp"
#include "suite/cli/places.hpp"
#include "suite/cli/python.hpp"
#include "suite/sandbox/scratch.hpp"

namespace podium::cli {

namespace fs = std::filesystem;

namespace {

fs::path known_problems(const fs::path& named) {
  try {
    return named.empty() ? problems_folder() : named;
  } catch (const Error&) {  // an installed podium without problems: those of the runs stay without a text
    return {};
  }
}

}  // namespace

publish::FoundRuns runs_below(const std::vector<fs::path>& folders) {
  publish::FoundRuns found = publish::find_runs(folders);
  for (const auto* sentences : {&found.without, &found.unreadable})
    for (const std::string& sentence : *sentences) fmt::print(stderr, "podium: left out: {}\n", sentence);
  return found;
}

publish::Document document_to_show(const std::vector<publish::FoundRun>& runs, const fs::path& problems) {
  publish::Document document = publish::document_of(runs, known_problems(problems));
  for (const std::string& fault : document.faults) fmt::print(stderr, "podium: left out: {}\n", fault);
  return document;
}

void write_document(const publish::Document& document, const fs::path& file) {
  record::write_file(file,
                     document.json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

void make_pages(const publish::Document& document, const fs::path& folder) {
  const sandbox::ScratchFolder scratch(geteuid());
  const fs::path file = scratch.path() / "document.json";
  write_document(document, file);
  run_module("podium_site", {file.string(), "--to", folder.string()},
             "no pages were made in " + folder.string());
  fmt::print(stderr, "podium: {} in {}\n", counted(document.json.at("runs").size(), "run"), folder.string());
}

}  // namespace podium::cli
