// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/sealed_request.hpp"

#include <nlohmann/json.hpp>

namespace podium::compile {
namespace {

using nlohmann::json;
constexpr std::uint64_t divisor = 16;  // that compilers make something of

json numbers(const std::vector<NamedNumber>& all) {
  auto map = json::object();
  for (const auto& [name, value] : all) map[name] = value;
  return map;
}

bool whole(problem::Dtype dtype) { return !problem::info(dtype).floating; }

}  // namespace

std::string request_for(const Language& language, const Manifest::Launch& launch,
                        const std::vector<TypedArgument>& arguments,
                        const std::vector<NamedNumber>& constants, const std::vector<NamedNumber>& options,
                        const std::string& target, int warp, bool ptx) {
  auto typed = json::array();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& a = arguments[i];
    const std::string dtype(problem::info(a.dtype).name);
    if (!a.array)
      typed.push_back({{"number", dtype}, {"divisible", whole(a.dtype) && a.value.bits % divisor == 0}});
    else
      typed.push_back(language.python.array(a, launch.arguments[i].text));
  }
  json request{{"language", language.name},  {"kernel", launch.kernel},
               {"target", target},           {"warp", warp},
               {"arguments", typed},         {"constants", numbers(constants)},
               {"options", numbers(options)}};
  if (ptx) request["ptx"] = true;
  return request.dump();
}

std::vector<protocol::Bundle::Argument> passed(const Language& language,
                                               const std::vector<TypedArgument>& arguments) {
  std::vector<protocol::Bundle::Argument> all;
  for (const auto& a : arguments) {
    all.push_back(a.value);
    if (!a.array || !language.python.behind_address) continue;
    const auto more = language.python.behind_address(a);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace podium::compile
