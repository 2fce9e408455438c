// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A device as the worker uses it: the arena opened, a stream behind a gate, events, scratch.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "suite/base/error.hpp"
#include "suite/device/device.hpp"

namespace podium::device {

// The page that judge and worker share, in memory that a GPU can wait on. The worker's word is never
// believed: a contestant that opens its own gate computes on poison.
struct Page {
  // Tickets of samples, written by the judge: of the one whose gate is open, and, beside no GPU, of the last
  // one whose contestant is not to be called.
  alignas(64) std::uint32_t gate, cancelled;
  // Between the ranks of a group, whose page is one: the judge only clears it, before an instance begins.
  alignas(1024) std::byte mailbox[2048];
};

inline constexpr std::size_t page_bytes = 4096;  // what both sides map for it
static_assert(sizeof(Page) <= page_bytes);

// Calls that cannot be captured into a graph, or a device that has none: no fault of anybody's.
class NotCapturable : public Error {
 public:
  explicit NotCapturable(const std::string& why) : Error(why) {}
};

// A loaded code object, of which the worker itself launches kernels.
class Kernels {
 public:
  struct Shape {
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t shared = 0;  // bytes of dynamic shared memory
  };
  Kernels() = default;
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;
  virtual ~Kernels() = default;

  // The kernel of that name, made ready for such a shape. Throws podium::Error: there is none, or the device
  // does not take the shape.
  virtual void* find(const std::string& name, const Shape& shape) = 0;
  // Enqueues it on the lane's stream. `arguments`: an address for each argument that the kernel declares.
  virtual void launch(void* kernel, const Shape& shape, void** arguments) = 0;
};

class Lane {
 public:
  Lane() = default;
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  virtual ~Lane() = default;

  virtual void open_arena(const Handle& handle, std::size_t bytes) = 0;
  virtual std::byte* arena() const = 0;
  // Memory of a device of the same group, which this one reaches too. Kept for ever.
  virtual std::byte* open_symmetric(const Handle&, std::size_t) {
    throw Error("this device takes no memory of another one, expected ranks that reach each other");
  }
  virtual void* stream() const = 0;  // native stream, another after each release(); nullptr on host

  // Zeroed, 256-byte aligned, freed by release(). nullptr if the device has no more.
  virtual void* allocate(bool pinned, std::size_t bytes) = 0;
  virtual void release() = 0;  // what an instance had: memory, graph, stream, kernels
  // Loads machine code; its variables are as new. Kept until release(). Throws podium::Error: it is not for
  // this device, or the device takes none.
  virtual Kernels& load(const std::string&) {
    throw Error("this device takes no code objects, expected a GPU: sealed contestants run on CUDA and HIP");
  }

  // One gated call. On a GPU: stream-wait for `ticket`, start event, `run`, stop event, `armed`, synchronise
  // the device. On the CPU: `armed`, wait for the gate, `run`. Returns microseconds by the device's own
  // clock. Throws what `run` throws, and podium::Error for a device error.
  virtual double gated(Page& page, std::uint32_t ticket, const std::function<void()>& run,
                       const std::function<void()>& armed) = 0;
  // When the last gated call began, in microseconds of the machine's monotonic clock; unknown where nobody
  // asked by open_symmetric().
  virtual double began() const { return unknown; }
  // One call, ungated: microseconds by the host's clock from before `run` until the device has finished all
  // work. On a GPU the device has turned to this process before.
  virtual double whole(const std::function<void()>& run) = 0;
  // Captures what `run` enqueues on the stream into a graph, in place of the last one. Throws NotCapturable;
  // the stream is usable again.
  virtual void capture(const std::function<void()>& run) = 0;
  // A library may wait in its destructor for graphs that hold its work: NCCL does.
  virtual void drop_graph() {}
  virtual void replay() = 0;       // enqueues the graph on the stream
  virtual void synchronise() = 0;  // the whole device; throws podium::Error with the device's error
};

// Opens device `ordinal` in the worker. `page` has been mapped; a GPU registers it. Throws podium::Error.
std::unique_ptr<Lane> open_lane(int ordinal, Page& page);

// What this process, as it is confined, sees of GPUs: how many, and which of them lies at a PCI address, as
// Description has it; -1: none. None on the host.
int visible_devices();
int ordinal_at(const std::string& pci);

}  // namespace podium::device
