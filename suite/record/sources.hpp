// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The texts that a run kept in sources/, each named by its SHA-256: contestants, what these include, and
// problem files.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "suite/record/provenance.hpp"

namespace podium::record {

// Of a contestant's text, as it is named in sources/.
const std::string& text_hash(const ContestantRecord& contestant);

// Those files beside a contestant that its text names, or another one that it names does: a file counts as
// named where its name without suffix occurs as a word, so none that is included is missed. `included`:
// hashes by file name, as of ContestantRecord; `text_of`: the text of a hash, nullptr if there is none.
std::map<std::string, std::string> named_files(
    std::string_view text, const std::map<std::string, std::string>& included,
    const std::function<const std::string*(const std::string& sha256)>& text_of);

struct Source {
  std::string file;  // its name
  std::string text;
};
// Those that a run kept, by hash: none of one that is older than schema 2. Throws podium::Error: a text that
// cannot be read, or does not have the hash that names it.
std::map<std::string, Source> read_sources(const std::filesystem::path& run, const Provenance& provenance);

// The SPDX expression that a text names as its licence; "" if it names none.
std::string license_of(std::string_view text);

}  // namespace podium::record
