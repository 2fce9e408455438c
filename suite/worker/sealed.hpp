// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A sealed contestant in its worker: our code launches its kernels; none of its own runs on the host.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "suite/protocol/sealed_program.hpp"
#include "suite/worker/contestant.hpp"

namespace podium::worker {

class Sealed : public Contestant {
 public:
  Sealed(const std::string& bytes, const std::string& hash);  // throws Failure

  void join(std::span<const std::int64_t> numbers) override;
  void show(const protocol::Structures& structures, int file, device::Lane& lane) override;
  void create(const protocol::Create& create, device::Lane& lane) override;
  void bind(const protocol::Arm& arm, device::Lane& lane) override;
  void run(device::Lane& lane) override;
  void destroy() override;

 private:
  using Launch = protocol::SealedProgram::Launch;
  // A launch of which everything is at hand.
  struct Ready {
    device::Kernels* kernels = nullptr;
    void* kernel = nullptr;
    device::Kernels::Shape shape;
    std::vector<std::uint64_t> values;  // of the arguments
    std::vector<void*> arguments;       // the addresses of these
  };
  void allocate(const protocol::SealedProgram::List& list, std::uint64_t limit, device::Lane& lane);
  Ready ready(const Launch& launch, const std::int64_t* offsets, device::Lane& lane);
  static void enqueue(std::vector<Ready>& launches);

  protocol::SealedProgram program_;
  const protocol::SealedProgram::List* list_ = nullptr;  // of the instance
  std::int32_t tensors_ = 0;
  std::vector<device::Kernels*> kernels_;  // by code; null: not loaded
  std::vector<void*> scratch_;
  std::vector<std::byte*> structure_;
  std::vector<std::vector<Ready>> bound_;  // one list a call
};

}  // namespace podium::worker
