// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A device as the judge sees it: memory, an arena to share, programs. One implementation per backend.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/device/products.hpp"
#include "suite/device/telemetry.hpp"

namespace podium::device {

// What a device is, for the board's key, for rooflines and for choosing code.
struct Description {
  std::string backend;                // "host", "cuda", "hip"
  std::string product;                // "NVIDIA H200"
  std::string architecture;           // "sm_90", "gfx942", "x86-64-v3"
  std::string driver;                 // driver and runtime versions, for provenance
  std::string pci;                    // bus id; empty on host
  std::int64_t memory = 0;            // bytes
  std::int64_t last_level_cache = 0;  // bytes
  int multiprocessors = 0;            // or CPU threads
  int warp = 0;                       // lanes of a warp; 1 on host
  std::string partition = {};         // "CPX NPS4": of a device that is part of another; empty: whole
  std::int64_t local_share = 0;       // bytes of shared memory (LDS) of a multiprocessor; 0 on host
  bool emulated = false;              // on the CPU: no time that it tells means anything
};

// The device has not as much memory left. While there are workers they may be what holds it.
class OutOfMemory : public Error {
 public:
  explicit OutOfMemory(const std::string& sentence, Fault fault = Fault::input) : Error(sentence, fault) {}
};

// Memory of the judge alone. On a GPU at least 2 MiB from an allocation of its own and never from a pool: an
// IPC handle opens the whole block of what it shares.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 protected:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// What a worker needs to open an arena: a descriptor to be passed (or -1) and bytes to be sent.
struct Handle {
  int descriptor = -1;
  std::byte token[64] = {};
};

// The one allocation that judge and worker share; data() is the judge's view.
class Arena : public Memory {
 public:
  virtual Handle handle() const = 0;
};

// A compiled judge's program. Kernels see `words`, the 8-byte words of the program's context, and cut their
// work into `groups` (a block of threads on a GPU, one call on the CPU).
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;
  // Enqueues on the device's one stream. Throws podium::Error if there is no such kernel.
  virtual void run(std::string_view kernel, std::span<const std::uint64_t> words, int groups) = 0;
};

// How fast large transfers move, in bytes a second: what is read and what is written counts.
struct MemoryRates {
  double copy = 0, read = 0, write = 0;
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  virtual const Description& description() const = 0;
  virtual std::unique_ptr<Memory> allocate(std::size_t bytes) = 0;  // zeroed
  // Rounded up to 2 MiB. Within the reach of every device that this process has opened before.
  virtual std::unique_ptr<Arena> share(std::size_t bytes) = 0;
  // Host memory that the device's kernels reach as well, at the same address: their writes are seen at once.
  virtual std::unique_ptr<Memory> mapped(std::size_t bytes) = 0;
  virtual std::unique_ptr<Program> load(
      int object_descriptor) = 0;  // what `podium build` made of judge_program()

  // On the device's one stream, in order; return at once on a GPU. Addresses are the judge's (device or
  // host).
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void set(void* at, std::uint8_t value, std::size_t bytes) = 0;
  // Afterwards caches hold nothing of anybody's, and nothing that has yet to be written to memory.
  virtual void flush_caches() = 0;
  // Writes `bytes` of the judge's own memory, at most what the last cache holds: so many lines have yet to be
  // written to memory, as behind a call that has written as many. Nothing on a CPU.
  virtual void leave_unwritten(std::size_t /*bytes*/) {}
  virtual void synchronise() = 0;
  // A place in the stream; when await_mark() returns, what comes before it is done, whatever is behind it.
  virtual void mark() {}
  virtual void await_mark() { synchronise(); }
  virtual bool marked() { return false; }  // whether what comes before it is known to be done

  // How many ranks a group may have that begins with this device, and whether this one is all of them: the
  // CPU's processors share its memory. Otherwise each rank has a device of its own, the next ones.
  virtual int most_ranks() const { return 1; }
  virtual std::vector<std::string> others_of_group() const { return {}; }  // their PCI addresses
  virtual bool is_whole_group() const { return false; }
  // Bytes a second from one device of a group to another.
  virtual double link_rate(Device& /*other*/) { return 0; }

  virtual int groups_for(
      std::int64_t items) const = 0;  // how many groups `items` independent elements are worth
  virtual bool spins()
      const = 0;  // wait for the worker by spinning on the page: cores are plenty beside a GPU
  // Microseconds, the median of a few, that a small fixed piece of trusted work takes now. It is always the
  // same: what differs is the device's state and whatever else runs on it.
  virtual double canary() = 0;
  // Bytes of the device's memory that are neither free nor this object's: other processes', and contexts'. 0
  // on the host.
  virtual std::int64_t memory_of_others() { return 0; }
  virtual MemoryRates memory_rates() = 0;  // measured now

  // The clock of the processors by the device's own counters, over some 15 microseconds from now: enqueues
  // work that writes two words to `at`, device memory: cycles, and ticks of a timer of
  // clock_ticks_per_microsecond(). Both stay as they are where it cannot be told. `program`: any judge's
  // program of this device.
  virtual void measure_clock(Program&, std::uint64_t* /*at*/) {}
  virtual double clock_ticks_per_microsecond() const { return 1; }
  virtual Telemetry telemetry() { return {}; }
  virtual double energy() { return unknown; }      // joules: telemetry.hpp, Sensors
  virtual bool begin_counting() { return false; }  // telemetry.hpp, Sensors
  virtual Counters counted() { return {}; }
  virtual std::string telemetry_source() { return "none: this backend has none"; }
  // What `podium calibrate` asks for besides. Microseconds by the device's own clock from before to after
  // what `work` enqueues; waits for its end.
  virtual double timed(const std::function<void()>& work) = 0;
  // The vendor's library of matrix products, opened now. Throws podium::Error: which library was not found.
  virtual std::unique_ptr<Products> products() = 0;
};

// Opens device `ordinal` of this judge's backend. Throws podium::Error(Fault::device).
std::unique_ptr<Device> open(int ordinal);

}  // namespace podium::device
