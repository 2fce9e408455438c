// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Pages of recorded runs, which the Python package podium_site makes from a document.
#pragma once
#include <filesystem>

#include "suite/publish/document.hpp"

namespace podium::cli {

// publish::find_runs(), which says on standard error what it leaves out.
publish::FoundRuns runs_below(const std::vector<std::filesystem::path>& folders);
// Of these runs, with the texts of `problems`, or if that is empty of the default folder. Says on standard
// error what was left out.
publish::Document document_to_show(const std::vector<publish::FoundRun>& runs,
                                   const std::filesystem::path& problems);
void write_document(const publish::Document& document, const std::filesystem::path& file);
// Throws podium::Error: no pages were made.
void make_pages(const publish::Document& document, const std::filesystem::path& folder);

}  // namespace podium::cli
