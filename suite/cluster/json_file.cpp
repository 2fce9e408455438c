// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/json_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "suite/base/error.hpp"
#include "suite/record/record.hpp"

namespace podium::cluster {

nlohmann::json read_json(const std::filesystem::path& file, const std::string& what_to_do) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(fmt::format("{}: cannot be read; {}", file.string(), what_to_do));
  auto json = nlohmann::json::parse(stream, nullptr, false);
  if (json.is_discarded())
    throw Error(fmt::format("{}: found text that is not JSON; {}", file.string(), what_to_do));
  return json;
}

void write_json(const std::filesystem::path& file, const nlohmann::json& json) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error)
    throw Error(
        fmt::format("{}: the folder cannot be created: {}; make it writable, or plan to another folder "
                    "with --to",
                    file.parent_path().string(), error.message()));
  record::write_file(file, json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

}  // namespace podium::cluster
