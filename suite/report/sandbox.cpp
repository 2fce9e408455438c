// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/sandbox.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace podium::report {

std::string unattested_text(const record::Provenance& provenance) {
  if (attested(provenance)) return "";
  std::string missing;
  for (const char* name : {"uid", "seccomp"}) {
    if (std::ranges::find(provenance.sandbox, name) != provenance.sandbox.end()) continue;
    const auto why = provenance.sandbox_without.find(name);
    missing += fmt::format("{}{}", missing.empty() ? "" : " and ", name);
    if (why != provenance.sandbox_without.end() && !why->second.empty())
      missing += fmt::format(" ({})", why->second);
  }
  return fmt::format("contestants were not kept from the judge by {}", missing);
}

}  // namespace podium::report
