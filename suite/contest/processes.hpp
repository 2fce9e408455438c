// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The processes of a session: their programs, and the limits of their time and memory.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace podium::contest {

struct Executables {
  std::filesystem::path judge, worker;
  std::vector<std::string> environment{};  // "NAME=value", for both, besides what they have
  std::vector<std::string> folders{};      // that the worker reads, too
  std::filesystem::path library{};         // the worker's, for interpreters; may not be there
  std::filesystem::path prepare{};         // a program that wants to see code before it runs; "": none
};
// Of `backend`, beside this program. Throws podium::Error naming the preset that builds them.
Executables executables(const std::string& backend);

struct Limits {
  std::chrono::seconds call{30};  // one answer in which a contestant takes part
  // The same of loading it, and of a new instance with its warm-up call; of a reference in Python, any
  // answer.
  std::chrono::seconds setup{120};
  std::chrono::seconds judge{300};  // one answer of the judge alone
  // Resident bytes of a worker and all it started; 0: three quarters of the machine's.
  std::int64_t memory = 0;
  // Bytes of the device's memory that a worker may hold between calls; 0: three quarters of it.
  std::int64_t device_memory = 0;
  int parked_memory = 4;  // the parked ones together may hold a quarter of that
  int parked_device = 8;  // and an eighth of the device's memory
  // A tool and its options that workers are started under, outside the sandbox: for one's own contestants.
  std::vector<std::string> under;
  std::filesystem::path hidden;  // a folder that no worker sees into; empty: none
};
// The same, with the machine's memory in place of 0.
Limits with_memory(Limits limits);

}  // namespace podium::contest
