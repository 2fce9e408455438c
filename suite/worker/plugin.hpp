// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A loaded contestant: its shared library, one instance, its arguments.
#pragma once
#include <podium/table.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "suite/worker/contestant.hpp"
#include "suite/worker/structure.hpp"

namespace podium::worker {

class Plugin : public Contestant {
 public:
  Plugin() = default;  // the trusted empty contestant: every call succeeds and does nothing
  // Loads the library behind `descriptor`. Throws Failure: it cannot be loaded (a missing library is named),
  // has another ABI, or was built against another problem interface than `hash`.
  Plugin(int descriptor, const std::string& hash);

  void show(const protocol::Structures& structures, int file, device::Lane& lane) override;
  void create(const protocol::Create& create, device::Lane& lane) override;
  void bind(const protocol::Arm& arm, device::Lane& lane) override;
  void run(device::Lane& lane) override;
  void destroy() override;

 private:
  static void* allocate(void* owner, wire::Memory kind, std::uint64_t bytes);
  void expect(std::int32_t result) const;
  void unbind();
  wire::Workload workload() const { return {workload_.axes, workload_.parameters, structure_.tensors()}; }

  const plugin::Table* table_ = nullptr;
  protocol::Create workload_{};
  Structure structure_;
  wire::Services services_{};
  void* self_ = nullptr;
  std::vector<void*> bound_;  // one a call
};

}  // namespace podium::worker
