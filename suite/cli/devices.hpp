// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Devices by name: "host", "cuda:0", "hip:1".
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace podium::cli {

struct DeviceName {
  std::string backend;
  int ordinal = 0;
};

// Throws podium::Error for a name that is none.
DeviceName parse_device(const std::string& text);

std::vector<std::string>
built_backends();  // those whose judge and worker lie beside this program, best first

// The named device or, for "", the first that can be opened. Throws podium::Error(Exit::no_device).
DeviceName choose_device(const std::string& text);

}  // namespace podium::cli
