// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/runtime/fatbins.hpp"

#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "emulators/nvidia/device/module.hpp"
#include "emulators/nvidia/runtime/architecture.hpp"
#include "suite/fatbin/fatbin.hpp"

namespace podium::ptx {
namespace {

// The `.target` of PTX (PTX ISA 11.1.2): sm_90 is taken by later devices too, sm_100f by those of its family,
// sm_90a by none but sm_90.
struct Target {
  int number = 0;  // 90 of sm_90a
  char kind = 0;   // a, f
};
std::optional<Target> target_of(std::string_view text) {
  constexpr std::string_view begins = "\n.target sm_";
  const std::size_t at = text.find(begins);
  if (at == std::string_view::npos) return std::nullopt;
  Target target;
  const auto [end, problem] =
      std::from_chars(text.data() + at + begins.size(), text.data() + text.size(), target.number);
  if (problem != std::errc()) return std::nullopt;
  if (end != text.data() + text.size() && (*end == 'a' || *end == 'f')) target.kind = *end;
  return target;
}
bool takes(int device, const Target& target) {
  if (target.kind == 'a') return target.number == device;
  return target.number <= device && (target.kind == 0 || target.number / 10 == device / 10);
}
auto rank_of(const Target& target) {
  return std::tuple(target.number, target.kind == 'a' ? 2 : target.kind == 'f' ? 1 : 0);
}

// As far as the part of a loaded object goes in which it begins, whatever its header says; empty outside of
// all.
std::string_view image_at(const char* begin) {
  struct Search {
    ElfW(Addr) begin;
    std::size_t bytes;
  } search{reinterpret_cast<ElfW(Addr)>(begin), 0};
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& part = object->dlpi_phdr[i];
          const ElfW(Addr) first = object->dlpi_addr + part.p_vaddr;
          if (part.p_type != PT_LOAD || wanted.begin < first || wanted.begin >= first + part.p_memsz)
            continue;
          wanted.bytes = first + part.p_memsz - wanted.begin;
          return 1;
        }
        return 0;
      },
      &search);
  return {begin, search.bytes};
}

// From the line on that begins with .version, up to a zero, with an end of line before it.
std::string text_in(const std::string& code) {
  const std::string lines = "\n" + code;
  const std::size_t at = lines.find("\n.version ");
  return at == std::string::npos ? "" : lines.substr(at, std::min(lines.find('\0', at), lines.size()) - at);
}

Fatbin chosen(std::string_view image) {
  const int device = architecture().major * 10 + architecture().minor;
  std::string best, others;
  Target of_best;
  for (const auto& entry : fatbin::entries(image)) {
    if (entry.kind != fatbin::Kind::ptx) continue;
    std::string text = text_in(fatbin::code_of(entry));
    const auto target = target_of(text);
    if (!target) continue;
    if (!takes(device, *target))
      others += fmt::format("{}sm_{}{}", others.empty() ? "" : ", ", target->number,
                            target->kind ? std::string(1, target->kind) : "");
    else if (best.empty() || rank_of(*target) > rank_of(of_best))
      best = std::move(text), of_best = *target;
  }
  Fatbin fatbin;
  if (!best.empty()) fatbin.hash = hash_of(best.data() + 1, best.size() - 1);
  if (best.empty() && !others.empty())
    fatbin.unreadable =
        fmt::format("found PTX for {} alone, which {} does not take", others, architecture().name);
  return fatbin;
}

}  // namespace

Fatbin read_fatbin(const char* begin) {
  try {
    const std::string_view image = image_at(begin);
    if (image.empty()) return {0, "found a fatbin in no loaded program or library"};
    return chosen(image);
  } catch (const std::exception& problem) {
    return {0, problem.what()};
  }
}

}  // namespace podium::ptx
