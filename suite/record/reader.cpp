// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A run read back from its folder.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"
#include "suite/base/parallel.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/record.hpp"
#include "suite/record/schema.hpp"
#include "suite/record/validator.hpp"

namespace podium::record {
namespace {

namespace fs = std::filesystem;

std::string text_in(const fs::path& folder, const char* name) {
  try {
    return whole_text_of(folder / name);
  } catch (const Error& e) {
    throw Error(
        fmt::format("{}; expected {} to be a run's folder, as `podium run` leaves in results/<device>/",
                    e.what(), folder.string()));
  }
}

std::string not_json() { return fmt::format("is not JSON; {}", what_to_do_about_damage); }

void check(const nlohmann::json& json, const std::string& what, const Validator& validator) {
  Fields(json, what).need_schema();
  validator.check(json);
}

// Those with a newline: an entry is whole when it is there, the rest was cut short.
std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    lines.push_back(text.substr(0, end));
  return lines;
}

// What `convert` makes of each line of entries.jsonl, on all processors. Throws the error of the first line
// that has one, led by file and line.
template <class Result>
std::vector<Result> lines_as(const fs::path& folder, Result (*convert)(const nlohmann::json&)) {
  const fs::path file = folder / "entries.jsonl";
  const std::string text = text_in(folder, "entries.jsonl");
  static const Validator validator(entry_forms());
  const auto lines = whole_lines(text);
  constexpr std::size_t at_once = 256;  // lines: many times what it takes to hand them out
  const std::size_t pieces = (lines.size() + at_once - 1) / at_once;
  std::vector<Result> results(lines.size());
  std::vector<std::optional<Error>> faults(pieces);
  const auto convert_line = [&](std::size_t i) {
    const auto json = nlohmann::json::parse(lines[i].begin(), lines[i].end(), nullptr, false);
    if (json.is_discarded()) throw Error(not_json());
    check(json, "entry", validator);
    results[i] = convert(json);
  };
  in_parallel(std::ssize(faults), processors(), [&](std::int64_t piece) {
    const auto begin = static_cast<std::size_t>(piece) * at_once;
    for (std::size_t i = begin; i < std::min(begin + at_once, lines.size()); ++i) try {
        convert_line(i);
      } catch (const Error& e) {
        faults[static_cast<std::size_t>(piece)].emplace(
            fmt::format("{}:{}: {}", file.string(), i + 1, e.what()), e.fault());
        return;
      }
  });
  for (const auto& fault : faults)
    if (fault) throw Error(*fault);
  return results;
}

}  // namespace

nlohmann::json read_provenance(const fs::path& folder) {
  const fs::path file = folder / "run.json";
  static const Validator validator(run_forms());
  const std::string text = text_in(folder, "run.json");
  try {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) throw Error(not_json());
    check(json, "run", validator);
    return json;
  } catch (const Error& e) {
    throw Error(fmt::format("{}: {}", file.string(), e.what()));
  }
}

Run read(const fs::path& folder) {
  Run run{.folder = folder, .provenance = read_provenance(folder), .entries = lines_as(folder, entry_from)};
  const auto aside =
      std::ranges::stable_partition(run.entries, [](const Entry& entry) { return entry.set_aside.empty(); });
  run.set_aside.assign(std::make_move_iterator(aside.begin()), std::make_move_iterator(aside.end()));
  run.entries.erase(aside.begin(), aside.end());
  return run;
}

std::vector<nlohmann::json> read_lines(const fs::path& folder) {
  return lines_as<nlohmann::json>(folder, [](const nlohmann::json& line) { return line; });
}

}  // namespace podium::record
