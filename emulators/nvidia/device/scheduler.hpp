// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The device at work: blocks, warps and threads, and who goes on next. A GPU thread is a fiber that runs
// until it waits; one thread of the system runs them all, or all of some clusters (team.hpp), so results are
// the same in every run.
#pragma once
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulators/common/report.hpp"
#include "emulators/nvidia/device/copy_order.hpp"
#include "emulators/nvidia/device/module.hpp"
#include "emulators/nvidia/device/operations.hpp"
#include "emulators/nvidia/device/order.hpp"
#include "emulators/nvidia/device/product_order.hpp"
#include "emulators/nvidia/device/races.hpp"
#include "emulators/nvidia/device/visits.hpp"
#include "sdk/podium/emulation/library/fiber.hpp"

namespace podium::ptx {

struct Warp;
struct Block;
struct Cluster;
class Footprint;      // footprint.hpp
class Team;           // team.hpp
struct Touched;       // prerequisite.hpp
struct InFlight;      // wgmma.cpp
struct TensorMemory;  // tensor_memory.hpp

enum class Waiting { nothing, warp, barrier, mbarrier, cluster };

// A copy that cp.async began: it happens when its group is waited for, or when nobody else can go on.
struct Copy {
  u32 to;
  u8* from;
  u32 bytes, source_bytes;
  int line;
  bool happened = false, counted = false;  // at an mbarrier
};
// One of cp.async.bulk that a group counts, likewise, and what of shared memory it reads.
struct BulkCopy {
  std::function<void()> run;  // empty: it has happened
  u32 from, bytes;
  int line;
};

struct GpuThread : Thread {
  std::unique_ptr<host::Fiber> fiber;
  Warp* warp = nullptr;
  Block* block = nullptr;
  u32 number = 0;                  // in the process: races.hpp
  Footprint* footprint = nullptr;  // of a team's worker
  Waiting waiting = Waiting::nothing;
  u32 waits_at = 0, waits_for = 0;  // barrier or mbarrier, its parity
  int line = 0;                     // where it waits
  bool timed_out = false;
  bool before_wait = false;  // for what the launch depends on, if it does: prerequisite.hpp
  bool cluster_phase = false, cluster_arrived = false;  // in which it arrived, and has not waited yet
  u64 barriers = 0;                                     // aligned ones that it executed
  u64 ticks = 0;
  Clock clock;
  u32 met_in = 0;                  // epoch in which it last met other lanes
  std::vector<Repeated> repeated;  // the last ones: races.cpp
  std::vector<Copy> copies;
  u64 copies_gone = 0;              // that were in `copies` before
  std::vector<std::size_t> groups;  // ends in `copies` of committed groups
  std::vector<Moment> counted;      // where copies count at mbarriers, until a group is waited for
  std::vector<BulkCopy> bulk;       // and their groups likewise
  std::vector<std::size_t> bulk_groups;
  u32 copy_entry = 0;                   // copy_order.hpp
  u32 products = 0;                     // product_order.hpp: its last batch, + 1
  std::shared_ptr<InFlight> in_flight;  // products that will change registers
};

// Lanes of a warp that meet for an operation; the last one computes it for all.
struct Meeting {
  const char* what;
  u32 mask, arrived;
  int line;
  std::array<void*, 32> operands;
  void (*finish)(void* const* operands, u32 lanes);
};

struct Bar {
  u32 arrived = 0, threads = 0, sum = 0, result = 0;  // `threads` of those that arrived live, or did
  s64 count = 0;
  Combine combine{};
  u64 phase = 0;
  int line = 0;
  Rendezvous met{};
  struct OfWarp {
    u64 phase = 0;  // in which `lanes` arrived, + 1
    u32 lanes = 0;  // of a warp; all of them once those that do not live are counted, too
  };
};

struct Warp {
  Block* block = nullptr;
  u32 id = 0, alive = 0, ready = 0, yielded = 0, polling = 0;  // a bit a lane
  std::array<GpuThread*, 32> threads{};
  std::vector<Meeting> meetings;
  std::array<Bar::OfWarp, 16> at_bars{};
  // Of aligned ones: the last ones' first lane, by how many that had executed.
  struct Barrier {
    u64 number = 0;
    u32 thread = 0;
    int line = 0;
    u32 id = 0;
  };
  std::array<Barrier, 32> barriers{};
};

struct Block {
  Cluster* cluster = nullptr;
  u32 rank = 0, alive = 0, threads = 0;
  u32 number = 0, first_number = 0;   // in the launch; of its first thread in the process
  std::array<u32, 9> ids{}, sizes{};  // Thread::ctaid, nctaid
  u8 unwritten = 0;                   // what each byte of its shared memory is when it starts
  std::vector<Warp> warps;
  std::array<Bar, 16> bars;
  std::vector<Visits> visits;  // of the cluster's threads; empty: of none
  Gathering ended;             // what its threads knew that ended since
  std::shared_ptr<TensorMemory> tensor_memory;
};

struct Cluster {
  explicit Cluster(u32 blocks);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();
  u32 random();

  u8* shared;
  std::vector<Block> blocks;
  std::vector<std::unique_ptr<GpuThread>> threads;
  u32 alive = 0, arrived = 0;
  bool phase = false;
  u32 first_number = 0, number_count = 0;  // of its threads
  u32 first_of_launch = 0, count_of_launch = 0;
  u64 number = 0, random_state = 0;  // in the launch; of its own numbers, whatever other clusters do
  SharedCells cells;
  SyncWords sync_words;  // in its shared memory
  Rendezvous met;
  Gathering ended;  // what ended threads did
  Mbarriers mbarriers;
  CopyOrder copies;
  ProductOrder products;
  std::deque<std::function<void()>> pending;  // asynchronous operations that have not happened yet
};

enum class Asynchrony { lazy, eager, random };
enum class Note { unwritten, pairs, lanes };  // shared memory; sums in another block's; tensor memory's

struct Shape {
  u32 grid[3], block[3], cluster[3];
  u32 dynamic_bytes;  // of shared memory
  bool clustered;     // launched as clusters, also if these are of one block

  u32 clusters_along(u32 axis) const { return grid[axis] / cluster[axis]; }
  u64 clusters() const { return u64{1} * clusters_along(0) * clusters_along(1) * clusters_along(2); }
  u32 block_threads() const { return block[0] * block[1] * block[2]; }
  u32 cluster_blocks() const { return cluster[0] * cluster[1] * cluster[2]; }
  u64 cluster_threads() const { return u64{1} * cluster_blocks() * block_threads(); }
  u64 threads() const { return clusters() * cluster_threads(); }
};

class Launch {
 public:
  // Of a team's worker, where there is one. `prerequisite`: what it depends on touched, where it may begin
  // before that has ended. `footprint`: where it leaves its own, if anywhere, without a team.
  Launch(const Kernel& kernel, const Shape& shape, u8* parameters, Asynchrony mode, u64 seed,
         const Touched* prerequisite, Footprint* footprint, Team* team = nullptr, u32 worker = 0);
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  ~Launch();

  // Runs it to its end; a sentence if it did not end well. What threads have on their stacks then is lost.
  std::optional<std::string> run();

  Asynchrony mode() const { return mode_; }
  const Kernel& kernel() const { return kernel_; }
  GpuThread* current() const { return current_; }
  void happened() { ++events_; }  // something that waiting threads may wait for
  void looked() { ++looks_; }
  // Lets others go on; returns when the running thread, which this is, was made ready and is its turn.
  void rest(GpuThread&);
  [[noreturn]] void fail(GpuThread*, int line, const std::string& what);
  // What is done with others in mind, or cannot be undone, no worker of a team may do.
  [[noreturn]] void abandon();
  void needs_one_thread() {
    if (team_) abandon();
  }
  Team* team() const { return team_; }
  u32 worker() const { return worker_; }
  // What may be no mistake, told on standard error once a process for each kernel and kind.
  void note(Note, const GpuThread&, int line, const std::string& what);
  bool noted(Note kind) const { return (noted_ >> static_cast<u32>(kind) & 1) != 0; }  // in this launch
  emulation::Place place(const GpuThread*, int line) const;
  emulation::Place place_of_number(u32 thread, int line) const;  // of the launch's threads, from 0
  u32 first_number() const { return first_number_; }
  u32 number_count() const { return number_count_; }
  void run_all_blocks_at_once() { cooperative_ = true; }
  u64 workspace();  // 0 unless they do
  SyncWords& sync_words() { return sync_words_; }
  BytesApart& bytes_apart() { return bytes_apart_; }
  // In clocks, as if a block, of whose number none is.
  u32 new_clock_row() { return u32{1} << 31 | clock_rows_++; }
  // The epoch in which a thread of this launch last wrote strongly; by its number in the process.
  u32& told(u32 number) { return told_[number - first_number_]; }
  const Touched* prerequisite() const { return prerequisite_; }
  // The epoch in which a thread, by its number from 0, waited for it; 0: it has not.
  u32& waited_in(u32 number) { return waited_[number]; }
  // An asynchronous operation of a cluster: done at once, or later, as the mode has it.
  void later(Cluster&, std::function<void()> operation);
  // The number of the first block of a cluster that has not begun, and now never will.
  std::optional<std::array<u32, 3>> take_next();

 private:
  std::size_t stack_size() const;
  bool admit();  // the next cluster; false if there is none
  std::optional<u64> take_index();
  void start(Cluster&, u64 index);
  void start(GpuThread&, Block&, u32 linear);
  bool run_ready();
  GpuThread& take_ready(Warp&);
  bool run_pending();
  bool poll();
  bool release_yielded();
  void time_out();
  void retire();
  std::string deadlock() const;

  const Kernel& kernel_;
  Shape shape_;
  u8* parameters_;
  Asynchrony mode_;
  u64 seed_;
  const Touched* prerequisite_;
  Footprint* footprint_;
  Team* team_;
  u32 worker_;
  std::vector<Site> sites_;
  u32 first_number_, number_count_;  // of threads: races.hpp
  SyncWords sync_words_;
  BytesApart bytes_apart_;
  std::vector<u32> own_told_;
  u32* told_;
  std::vector<u32> waited_;
  bool cooperative_ = false, has_workspace_ = false;
  u32 clock_rows_ = 0;
  std::vector<std::unique_ptr<Cluster>> running_, idle_;
  u64 next_ = 0, total_;
  u64 events_ = 0, looks_ = 0;
  GpuThread* current_ = nullptr;
  host::Fiber scheduler_;  // the stack of who called
  std::optional<std::string> fault_;
  u32 noted_ = 0;  // a bit a kind
};

// The launch that this thread of the system runs.
Launch& launch();
inline GpuThread& of(Thread* t) { return *static_cast<GpuThread*>(t); }

// Writes it to standard error, if it is the kernel's first of its kind in this process.
void say_once(const Kernel&, Note, const std::string& sentence);

// "block (0,0,0), thread (5,0,0) DID at add.cu:12 (PTX line 87)", of the launch's threads, from 0.
std::string who(u32 number, int line, const char* did);

// Leaves the running thread until another, or the scheduler, makes it ready.
void wait(GpuThread&, Waiting, u32 at, u32 value, int line);
void make_ready(GpuThread&);

// barrier.cpp, warp.cpp: after a thread has ended, what waited for it may go on.
void barriers_without(GpuThread&);
void meetings_without(GpuThread&);
void cluster_without(Cluster&);
// tensor_memory.cpp: of a block that begins where another one ran, and of a block's last thread
void tensor_memory_anew(Block&);
void tensor_memory_without(GpuThread&);
// mbarrier.cpp
bool mbarrier_ready(GpuThread&);
// async_copy.cpp: of an ended thread
void finish_copies(GpuThread&);
// bulk_copy.cpp
void finish_bulk(GpuThread&);

// Brings this thread together with the other lanes of `mask`: `finish(operands, lanes)` runs once, where
// `operands` are the lanes' own `mine`, and all return.
template <class Operands>
void meet(Thread* thread, int line, u32 mask, const char* what, Operands& mine,
          void (*finish)(Operands* const* operands, u32 lanes)) {
  void meet_any(GpuThread&, int, u32, const char*, void*, void (*)(void* const*, u32));
  meet_any(of(thread), line, mask, what, &mine, reinterpret_cast<void (*)(void* const*, u32)>(finish));
}

// Calls f(lane) for each set bit.
template <class F>
void each_lane(u32 lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<u32>(__builtin_ctz(lanes)));
}

}  // namespace podium::ptx
