// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Devices by name: "host", "cuda:0", "hip:1", "hip:emulated:gfx942".
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suite/contest/session.hpp"
#include "suite/device/emulated.hpp"

namespace podium::cli {

struct DeviceName {
  std::string backend;
  int ordinal = 0;
  std::optional<device::Emulated> emulated{};
  std::string words() const;  // "--device cuda:0", with --async if that was given
};

// Throws podium::Error for an invalid name.
DeviceName parse_device(const std::string& text);

std::vector<std::string> built_backends();  // whose judge and worker are beside this program, best first

// The named device or, for "", the first that can be opened. Throws podium::Error(Fault::device).
DeviceName choose_device(const std::string& text);

// Judge and worker for that device. Throws podium::Error if these, or its emulator, are not built.
contest::Executables executables_for(const DeviceName& device);

// The architecture that code is compiled for; "" where the backend's compiler is told none.
std::string code_architecture(const DeviceName& name, const protocol::Opened& device);

// Throws podium::Error if `device` is emulated, since the command `what` ("podium run") measures times.
void refuse_times(const DeviceName& device, const std::string& what);
// The same of a device that is emulated however it was reached.
void refuse_times(const protocol::Opened& device, const std::string& what);

// The devices of this machine, and those that are emulated on it: as `podium list devices --format json`.
nlohmann::json devices();
void show_devices(const nlohmann::json& devices);  // as `podium list devices`

}  // namespace podium::cli
