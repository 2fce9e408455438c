// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// JSON files of a campaign's folder.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace podium::cluster {

// `what_to_do` ends the sentence of a file that cannot be read or is not JSON. Throws podium::Error.
nlohmann::json read_json(const std::filesystem::path& file, const std::string& what_to_do);
// Makes the folder if it is not there; replaces the file as a whole or not at all. Throws podium::Error.
void write_json(const std::filesystem::path& file, const nlohmann::json& json);

}  // namespace podium::cluster
