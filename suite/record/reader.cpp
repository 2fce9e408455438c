// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A run read back from its folder.
#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "suite/base/error.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/record.hpp"

namespace podium::record {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file, const fs::path& folder) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad())
    throw Error(fmt::format(
        "{}: cannot be read; expected a run's folder, as `podium run` leaves in results/<device>/, "
        "in {}",
        file.string(), folder.string()));
  return text;
}

}  // namespace

nlohmann::json read_provenance(const fs::path& folder) {
  const fs::path file = folder / "run.json";
  const auto json = nlohmann::json::parse(text_of(file, folder), nullptr, false);
  if (json.is_discarded()) throw Error(fmt::format("{}: is not JSON", file.string()));
  Fields(json, file.string()).need_schema();
  return json;
}

namespace {

// Calls `take` with each whole line as JSON; what it throws is led by file and line.
void for_each_line(const fs::path& folder, const std::function<void(const nlohmann::json&)>& take) {
  const fs::path file = folder / "entries.jsonl";
  const std::string text = text_of(file, folder);
  int line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;  // cut short: an entry is whole when its newline is there
    const auto json = nlohmann::json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                            text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (json.is_discarded())
      throw Error(fmt::format("{}:{}: is not JSON; the file was damaged", file.string(), line));
    try {
      take(json);
    } catch (const Error& e) {
      throw Error(fmt::format("{}:{}: {}", file.string(), line, e.what()), e.fault());
    }
    begin = end + 1;
  }
}

}  // namespace

Run read(const fs::path& folder) {
  Run run{.folder = folder, .provenance = read_provenance(folder)};
  for_each_line(folder, [&](const nlohmann::json& line) {
    Entry entry = entry_from(line);
    auto& those = entry.set_aside.empty() ? run.entries : run.set_aside;
    those.push_back(std::move(entry));
  });
  return run;
}

std::vector<nlohmann::json> read_lines(const fs::path& folder) {
  std::vector<nlohmann::json> lines;
  for_each_line(folder, [&](const nlohmann::json& line) { lines.push_back(line); });
  return lines;
}

}  // namespace podium::record
