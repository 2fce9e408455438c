// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Names of the modes into which AMD GPUs are partitioned: SPX, DPX, TPX, QPX or CPX divides the compute dies,
// NPS1 to NPS8 the memory.
#pragma once
#include <string>

namespace podium::telemetry {

// "CPX", "NPS4" -> "CPX NPS4"; empty for a whole GPU and where nothing is told.
inline std::string partition_name(const std::string& compute, const std::string& memory) {
  const bool whole = (compute.empty() || compute == "SPX") && (memory.empty() || memory == "NPS1");
  if (whole) return {};
  return compute + (compute.empty() || memory.empty() ? "" : " ") + memory;
}

}  // namespace podium::telemetry
