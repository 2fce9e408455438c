// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A contestant as its worker runs it: a plugin, which has code of its own for the host, or a sealed one.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "suite/base/error.hpp"
#include "suite/device/lane.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::worker {

// What a contestant did not manage, in the protocol's terms.
class Failure : public Error {
 public:
  Failure(protocol::Verdict verdict, const std::string& text) : Error(text), verdict_(verdict) {}
  protocol::Verdict verdict() const { return verdict_; }

 private:
  protocol::Verdict verdict_;
};

class Contestant {
 public:
  Contestant() = default;
  Contestant(const Contestant&) = delete;
  Contestant& operator=(const Contestant&) = delete;
  virtual ~Contestant() = default;

  // The contestant is one of several ranks: `numbers` are those of sdk/podium/ranks.hpp, wire::Team.
  virtual void join(std::span<const std::int64_t> numbers) = 0;
  // What the next instance sees. `file`: the numbers in host memory.
  virtual void show(const protocol::Structures& structures, int file, device::Lane& lane) = 0;
  // One instance at a time. Throws Failure.
  virtual void create(const protocol::Create& create, device::Lane& lane) = 0;
  virtual void bind(const protocol::Arm& arm, device::Lane& lane) = 0;  // the tensors of the next calls
  virtual void run(device::Lane& lane) = 0;                             // all of these calls
  virtual void destroy() = 0;
};

// What is behind `descriptor`: launch lists and kernels of a sealed contestant, or a shared library. Throws
// Failure: it cannot be loaded, or was built against another problem interface than `hash`.
std::unique_ptr<Contestant> load_contestant(int descriptor, const std::string& hash);

}  // namespace podium::worker
