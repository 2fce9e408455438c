// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/task_documents.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <regex>
#include <string>

#include "suite/base/error.hpp"

namespace podium::cli {

namespace fs = std::filesystem;
using nlohmann::ordered_json;  // an importer names things in the order of the file

namespace {

constexpr int most_nodes = 1000000;  // aliases may repeat what they name without end

ordered_json plain(const std::string& text) {
  static const std::regex number(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  const char* const begin = text.data() + (text.front() == '+' ? 1 : 0);
  const char* const end = text.data() + text.size();
  if (std::int64_t whole = 0; std::from_chars(begin, end, whole).ptr == end && begin != end) return whole;
  if (std::regex_match(text, number)) return std::stod(text);
  return text;
}

ordered_json converted(const YAML::Node& node, int& nodes) {
  if (++nodes > most_nodes) throw YAML::Exception(node.Mark(), "more than 1000000 values");
  switch (node.Type()) {
    case YAML::NodeType::Scalar:
      return node.Tag() == "?" || node.Tag().empty() ? plain(node.Scalar()) : ordered_json(node.Scalar());
    case YAML::NodeType::Sequence: {
      ordered_json list = ordered_json::array();
      for (const auto& item : node) list.push_back(converted(item, nodes));
      return list;
    }
    case YAML::NodeType::Map: {
      ordered_json map = ordered_json::object();
      for (const auto& item : node) map[item.first.Scalar()] = converted(item.second, nodes);
      return map;
    }
    default:
      return nullptr;
  }
}

}  // namespace

ordered_json yaml_as_json(const fs::path& file) {
  try {
    int nodes = 0;
    return converted(YAML::LoadFile(file.string()), nodes);
  } catch (const YAML::Exception& e) {
    throw Error(fmt::format("{}:{}: is not valid YAML: {}", file.string(), e.mark.line + 1, e.msg));
  }
}

std::vector<fs::path> task_files(const fs::path& folder) {
  if (const fs::path own = folder / "task.yml"; fs::is_regular_file(own)) return {own};
  std::vector<fs::path> all;
  std::error_code closed;
  for (const auto& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, closed))
    if (entry.path().filename() == "task.yml" && entry.is_regular_file(closed)) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace podium::cli
