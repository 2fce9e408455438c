// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A loaded contestant: its shared library, one instance, its arguments and the structure that it sees.
#pragma once
#include <podium/table.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "suite/protocol/protocol.hpp"
#include "suite/worker/contestant.hpp"

namespace podium::worker {

// Device numbers in the arena, host numbers in a file that the judge has sealed.
class Structure {
 public:
  Structure() = default;
  // Maps `file`, which may be closed afterwards. Throws podium::Error.
  Structure(const protocol::Structures& structures, int file, std::byte* arena);
  ~Structure();
  Structure(Structure&& other) noexcept;
  Structure& operator=(Structure&& other) noexcept;

  const wire::Tensor* tensors() const { return tensors_.data(); }  // null if there is none

 private:
  void* host_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<std::int64_t> numbers_;  // extents and strides of all, one after the other
  std::vector<wire::Tensor> tensors_;
};

class Plugin : public Contestant {
 public:
  Plugin() = default;  // the trusted empty contestant: every call succeeds and does nothing
  // Loads the library behind `descriptor`. Throws Failure: it cannot be loaded (a missing library is named),
  // has another ABI, or was built against another problem interface than `hash`.
  Plugin(int descriptor, const std::string& hash);
  // Of functions that this process has already. Throws Failure likewise.
  Plugin(const plugin::Table& table, const std::string& hash);

  void join(std::span<const std::int64_t> numbers) override { team_.assign(numbers.begin(), numbers.end()); }
  void show(const protocol::Structures& structures, int file, device::Lane& lane) override;
  void create(const protocol::Create& create, device::Lane& lane) override;
  void bind(const protocol::Arm& arm, device::Lane& lane) override;
  void run(device::Lane& lane) override;
  void destroy() override;

 private:
  static void* allocate(void* owner, wire::Memory kind, std::uint64_t bytes);
  void expect(std::int32_t result) const;
  void unbind();
  wire::Workload workload() const {
    return {axes_.data(), workload_.parameters, structure_.tensors(), workload_.workload};
  }

  const plugin::Table* table_ = nullptr;
  protocol::Create workload_{};
  std::vector<std::int64_t> team_;  // empty: it is alone
  std::vector<std::int64_t> axes_;  // of the workload, and the team's numbers behind them
  Structure structure_;
  wire::Services services_{};
  void* self_ = nullptr;
  std::vector<void*> bound_;  // one a call
};

}  // namespace podium::worker
