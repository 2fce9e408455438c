// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Devices that are not there: "cuda:emulated:sm_100a", "hip:emulated:gfx942". A stand-in for the vendor's
// runtime executes their machine code on the CPU, under the judge and the worker as they are. It tells what
// is right and nothing about time.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podium::device {

struct Emulated {
  std::string backend;
  std::string architecture;  // "sm_100a", "gfx942"
  std::string name() const;  // "hip:emulated:gfx942"
};

// Those that Podium has an emulator for, by backend and in the order of their age; none for "host".
const std::vector<std::string>& emulated_architectures(std::string_view backend);

// What `name` means if it has the form BACKEND:emulated or BACKEND:emulated:ARCHITECTURE, else nothing.
// Throws podium::Error: such a device, and no emulator for it.
std::optional<Emulated> parse_emulated(const std::string& name);

// Where the stand-in for `backend` lies, seen from the folder of podium's own programs; in the build tree as
// in an installed one.
std::filesystem::path emulator_folder(const std::filesystem::path& programs, const std::string& backend);

// What makes a judge or a worker run on an emulated device.
struct EmulatedSetting {
  // "NAME=value": LD_LIBRARY_PATH, by which the stand-in is found in place of the vendor's library,
  // PODIUM_EMULATED with the architecture, PODIUM_EMULATOR_CACHE with the folder for translations of machine
  // code: the judge writes there, a worker only reads.
  std::vector<std::string> environment;
  std::vector<std::string> folders;  // that a worker must be able to read
  // A program of the emulator that takes files with code and prepares them; "" if it has none.
  std::filesystem::path prepare;
};

// Whether every user can reach what is in `folder`, as far as it is there: root's own folders are closed.
bool open_to_all(std::filesystem::path folder);

// For programs in the folder `programs`, with translations below `cache`, or below /var/cache/podium where
// root's cache is not open to all; makes that folder. Throws podium::Error if the stand-in is not built.
EmulatedSetting emulated_setting(const Emulated& device, const std::filesystem::path& programs,
                                 const std::filesystem::path& cache);

// When asynchronous operations of emulated devices happen, in the judges and workers that are started from
// now on: "lazy" (as late as they may), "eager" (at once), "random:SEED" (any order). A mistake that one
// hides, another shows. Throws podium::Error: none of these, or the device is none of CUDA's emulated ones.
void set_asynchrony(const std::string& mode, const std::optional<Emulated>& device);
std::string asynchrony_words();  // " --async MODE", or "" if none was set

// Throws podium::Error: `what` ("podium run") measures, and would measure the emulator of `product`.
[[noreturn]] void refuse_times(std::string_view product, const std::string& what);

}  // namespace podium::device
