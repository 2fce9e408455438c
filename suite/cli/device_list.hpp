// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The devices of this machine, and those that are emulated on it.
#pragma once
#include <nlohmann/json_fwd.hpp>

namespace podium::cli {

nlohmann::json devices();                          // as `podium list devices --format json`
void show_devices(const nlohmann::json& devices);  // as `podium list devices`

}  // namespace podium::cli
