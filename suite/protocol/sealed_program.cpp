// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A line that says what it is, then CBOR.
#include "suite/protocol/sealed_program.hpp"

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "suite/base/error.hpp"

namespace podium::protocol {
namespace {

using nlohmann::json;
constexpr std::string_view mark = "podium sealed contestant", format_version = " 1\n";

// Parameters travel as their bits: infinities and NaN too are found again.
std::vector<std::uint64_t> bits_of(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  return bits;
}

json to_json(const std::vector<SealedProgram::Launch>& launches) {
  auto all = json::array();
  for (const auto& launch : launches) {
    auto arguments = json::array();
    for (const auto& a : launch.arguments)
      arguments.push_back({static_cast<std::int32_t>(a.kind), a.index, a.bytes, a.bits});
    all.push_back({{"code", launch.code},
                   {"kernel", launch.kernel},
                   {"grid", launch.grid},
                   {"block", launch.block},
                   {"shared", launch.shared},
                   {"arguments", std::move(arguments)}});
  }
  return all;
}

std::vector<SealedProgram::Launch> launches_of(const json& all, std::size_t codes, std::size_t scratch) {
  std::vector<SealedProgram::Launch> launches;
  for (const auto& item : all) {
    SealedProgram::Launch launch{.code = item.at("code"),
                                 .kernel = item.at("kernel"),
                                 .grid = item.at("grid"),
                                 .block = item.at("block"),
                                 .shared = item.at("shared"),
                                 .arguments = {}};
    if (launch.code < 0 || static_cast<std::size_t>(launch.code) >= codes)
      throw Error("the launch list names code that does not exist");
    for (const auto& a : item.at("arguments")) {
      const int kind = a.at(0);
      if (kind < 0 || kind > static_cast<int>(SealedProgram::Argument::Kind::number))
        throw Error("the launch list has an argument of an unknown kind");
      launch.arguments.push_back(
          {static_cast<SealedProgram::Argument::Kind>(kind), a.at(1), a.at(2), a.at(3)});
      const auto& last = launch.arguments.back();
      if (last.bytes < 1 || last.bytes > 8 || last.index < 0 ||
          (last.kind == SealedProgram::Argument::Kind::scratch &&
           static_cast<std::size_t>(last.index) >= scratch))
        throw Error("the launch list has an argument that does not exist");
    }
    launches.push_back(std::move(launch));
  }
  return launches;
}

}  // namespace

const SealedProgram::List* SealedProgram::find(const std::vector<std::int64_t>& axes,
                                               const std::vector<double>& parameters) const {
  for (const auto& list : lists)
    if (list.axes == axes && bits_of(list.parameters) == bits_of(parameters)) return &list;
  return nullptr;
}

std::string pack(const SealedProgram& program) {
  json root{{"hash", program.hash}, {"code", json::array()}, {"lists", json::array()}};
  for (const auto& code : program.code)
    root["code"].push_back(json::binary(std::vector<std::uint8_t>(code.begin(), code.end())));
  for (const auto& list : program.lists)
    root["lists"].push_back({{"axes", list.axes},
                             {"parameters", bits_of(list.parameters)},
                             {"scratch", list.scratch},
                             {"prepare", to_json(list.prepare)},
                             {"launches", to_json(list.launches)}});
  std::string bytes = std::string(mark) + std::string(format_version);
  json::to_cbor(root, bytes);
  return bytes;
}

bool is_sealed_program(std::string_view bytes) { return bytes.starts_with(mark); }

SealedProgram unpack(std::string_view bytes) try {
  if (!is_sealed_program(bytes) || !bytes.substr(mark.size()).starts_with(format_version))
    throw Error("the launch list is of another version of Podium; run `podium build`");
  bytes.remove_prefix(mark.size() + format_version.size());
  const auto root = json::from_cbor(bytes.begin(), bytes.end());
  SealedProgram program{.hash = root.at("hash"), .code = {}, .lists = {}};
  for (const auto& code : root.at("code")) {
    const auto& binary = code.get_binary();
    program.code.emplace_back(binary.begin(), binary.end());
  }
  for (const auto& item : root.at("lists")) {
    SealedProgram::List list{.axes = item.at("axes"), .parameters = {}, .scratch = item.at("scratch")};
    for (const std::uint64_t number : item.at("parameters"))
      list.parameters.push_back(std::bit_cast<double>(number));
    list.prepare = launches_of(item.at("prepare"), program.code.size(), list.scratch.size());
    list.launches = launches_of(item.at("launches"), program.code.size(), list.scratch.size());
    program.lists.push_back(std::move(list));
  }
  return program;
} catch (const json::exception& e) {
  throw Error(fmt::format("the launch list cannot be read: {}; run `podium build`", e.what()));
}

}  // namespace podium::protocol
