// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The CPU as the worker uses it. Nothing can be queued on a CPU: the worker sleeps at the gate, then runs.
#include <fmt/format.h>
#include <sys/mman.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "backends/host/machine.hpp"
#include "backends/host/mapping.hpp"
#include "suite/base/error.hpp"
#include "suite/device/lane.hpp"
#include "suite/device/pass_gate.hpp"

namespace podium::host {
namespace {

struct Free {
  void operator()(void* at) const { std::free(at); }
};

class CpuLane : public device::Lane {
 public:
  void open_arena(const device::Handle& handle, std::size_t bytes) override {
    if (handle.descriptor < 0)
      throw Error("the judge sent no descriptor of the arena; the protocol promises one");
    arena_ = Mapping(bytes, handle.descriptor);
  }
  std::byte* arena() const override { return arena_.data(); }
  std::byte* open_symmetric(const device::Handle& handle, std::size_t bytes) override {
    return symmetric_.emplace_back(bytes, handle.descriptor).data();
  }
  void* stream() const override { return nullptr; }

  void* allocate(bool, std::size_t bytes) override {
    constexpr std::size_t alignment = 256;
    const std::size_t size = std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (size < bytes || size > static_cast<std::size_t>(available())) return nullptr;
    void* at = std::aligned_alloc(alignment, size);
    if (!at) return nullptr;
    scratch_.emplace_back(at);
    return std::memset(at, 0, size);
  }
  void release() override { scratch_.clear(); }

  double gated(device::Page& page, std::uint32_t ticket, const std::function<void()>& run,
               const std::function<void()>& armed) override {
    armed();
    device::pass_gate(page, ticket);
    start_ = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count();
  }
  double began() const override {
    return std::chrono::duration<double, std::micro>(start_.time_since_epoch()).count();
  }
  double whole(const std::function<void()>& run) override {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  }
  void capture(const std::function<void()>&) override {
    throw device::NotCapturable("a CPU has no stream to capture");
  }
  void replay() override { throw Error("a CPU cannot replay"); }
  void synchronise() override {}

 private:
  Mapping arena_;
  std::vector<Mapping> symmetric_;
  std::chrono::steady_clock::time_point start_;
  std::vector<std::unique_ptr<void, Free>> scratch_;
};

}  // namespace
}  // namespace podium::host

int podium::device::visible_devices() { return 0; }

int podium::device::ordinal_at(const std::string&) { return -1; }

std::unique_ptr<podium::device::Lane> podium::device::open_lane(int ordinal, Page&) {
  if (ordinal != 0)
    throw Error(fmt::format("host:{} does not exist: the processor is one device, host:0", ordinal),
                Fault::device);
  return std::make_unique<host::CpuLane>();
}
