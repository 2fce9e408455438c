// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// wgmma.mma_async happens as late as it may, when its group is waited for: a kernel that does not wait sees
// the accumulator as it was, and one that changes shared memory too early multiplies what it put there. Each
// warp of the four multiplies its 16 rows.
#include "emulators/nvidia/device/wgmma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/row_products.hpp"
#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/shared_matrix.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, rows_of_warp = 16, rows_of_group = 64, warps_of_group = 4,
              lanes_of_row = 4;

// One instruction of a warp. Its operands are read when the first lane's product is made.
struct Product {
  Wgmma how;
  ProxyAccess access;
  u32 warp;
  u64 descriptor_a, descriptor_b;
  bool accumulate, registers;
  std::array<std::array<u32, 4>, 32> a{};
  std::unique_ptr<MatrixOperand> left{}, right{};
  StoredPlaces places{};                  // of a sparse A, by the warp's rows
  std::vector<MatrixOperand> gathered{};  // what each of them meets of B
  std::vector<Columns> columns{};         // of these, or of B

  u32 stored() const { return how.sparse ? how.k / 2 : how.k; }
};

void read_registers(Product& p) {
  const u32 size = bytes_of(p.how.a), each = 4 / size;
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 r = 0; r < 4; ++r)
      for (u32 e = 0; e < each; ++e)
        p.left->set(lane / 4 + 8 * (r % 2), (r / 2) * 4 * each + lane % 4 * each + e,
                    element(reinterpret_cast<const u8*>(&p.a[lane][r]) + e * size, p.how.a));
}

void read_operands(Product& p) {
  const u32 rank = p.access.thread()->rank >> rank_shift;
  p.left = std::make_unique<MatrixOperand>(p.registers ? rows_of_warp : rows_of_group, p.stored());
  p.right = std::make_unique<MatrixOperand>(p.how.n, p.how.k);
  if (p.registers)
    read_registers(p);
  else
    read_matrix(p.access, {p.descriptor_a, rank, rows_of_group, p.stored(), {p.how.a}, p.how.transpose_a},
                *p.left);
  read_matrix(p.access, {p.descriptor_b, rank, p.how.n, p.how.k, {p.how.b}, p.how.transpose_b}, *p.right);
  if (p.how.negate_a) p.left->negate();
  if (p.how.negate_b) p.right->negate();
  for (const std::vector<u32>& places : p.places) p.gathered.push_back(p.right->taken(places));
  std::vector<u32> order;  // a lane's columns of D side by side
  for (u32 of_row = 0; of_row < lanes_of_row; ++of_row)
    for (u32 i = 0; i < p.how.n / lanes_of_row; ++i) order.push_back(i / 2 * 8 + 2 * of_row + i % 2);
  if (!p.how.sparse) p.columns.emplace_back(*p.right, order);
  for (const MatrixOperand& gathered : p.gathered) p.columns.emplace_back(gathered, order);
}

// A lane's part: rows lane / 4 and that + 8, of every eight columns two.
void multiply(Product& p, u32 lane, const std::vector<u32*>& d) {
  if (!p.left) read_operands(p);
  const bool eight_bit = p.how.a == Element::e4m3 || p.how.a == Element::e5m2;
  const Accumulation how = eight_bit ? hopper_fp8_sum : wide_sum;
  const u32 first = p.registers ? 0 : rows_of_warp * (p.warp % warps_of_group);
  const bool halves = p.how.d == Element::f16;
  const u32 count = p.how.n / lanes_of_row;  // of a row that this lane has
  for (const u32 of_warp : {lane / 4, lane / 4 + 8}) {
    const Columns& right = p.columns[p.how.sparse ? of_warp : 0];
    const auto place = [&](u32 number) {
      const u32 i = number / 2 * 4 + of_warp / 8 * 2 + number % 2;
      return reinterpret_cast<u8*>(halves ? d[i / 2] : d[i]) + (halves ? 2 * (i % 2) : 0);
    };
    std::array<u32, most_products> sums;
    for (u32 i = 0; i < count; ++i)
      sums[i] = !p.accumulate ? 0 : halves ? read<u16>(place(i)) : read<u32>(place(i));
    row_of_products(p.how.d, *p.left, first + of_warp, right, lane % lanes_of_row * count, count, sums.data(),
                    how, p.how.saturate);
    for (u32 i = 0; i < count; ++i)
      if (halves)
        write(place(i), static_cast<u16>(sums[i]));
      else
        write(place(i), sums[i]);
  }
}

// What changes a thread's registers later: a product's part, or a copy that waits for one.
struct Change {
  std::shared_ptr<Product> product;
  u64 group = 0;
  std::vector<u32*> d;
  u32* to = nullptr;
  const u32* from = nullptr;
};

}  // namespace

struct InFlight {
  std::vector<Change> changes;
  std::unordered_set<const u32*> registers;  // that some change will write
  // Likewise, but whether it has happened or not; and copies of them.
  struct Unwaited {
    u64 group;
    int line;  // of the product
  };
  std::unordered_map<const u32*, Unwaited> unwaited;
  std::unordered_map<u32, Unwaited> held;  // by a product as its A, by number
  u64 committed = 0;                       // groups
  bool fenced = false;
};

namespace {

InFlight& in_flight(GpuThread& thread) {
  if (!thread.in_flight) thread.in_flight = std::make_shared<InFlight>();
  return *thread.in_flight;
}

// Products of groups before `until`, and copies that wait for nothing else, in their order.
void flush(GpuThread& thread, u64 until) {
  InFlight& mine = in_flight(thread);
  std::vector<Change> kept;
  mine.registers.clear();
  for (Change& change : mine.changes) {
    const bool waits = change.product ? change.group >= until : mine.registers.count(change.from) != 0;
    if (!waits) {
      if (change.product)
        multiply(*change.product, thread.lane, change.d);
      else
        *change.to = *change.from;
      continue;
    }
    mine.registers.insert(change.d.begin(), change.d.end());
    if (change.to) mine.registers.insert(change.to);
    kept.push_back(std::move(change));
  }
  mine.changes = std::move(kept);
}

struct Operands {
  const Wgmma* how;
  GpuThread* thread;
  int line;
  u32* const* d;
  const u32* a;
  u64 descriptor_a, descriptor_b;
  bool accumulate;
  u32 metadata;
};

void begin(Operands* const* all, u32) {
  const Operands& one = *all[0];
  const auto refuse = [&](u32 lane, const std::string& what) {
    launch().fail(all[lane]->thread, one.line, what);
  };
  auto product = std::make_shared<Product>(Product{.how = *one.how,
                                                   .access = {*one.thread, one.line, "wgmma.mma_async reads"},
                                                   .warp = one.thread->warp->id,
                                                   .descriptor_a = one.descriptor_a,
                                                   .descriptor_b = one.descriptor_b,
                                                   .accumulate = one.accumulate,
                                                   .registers = one.a != nullptr});
  for (u32 lane = 1; lane < 32; ++lane) product->access.also_of(*all[lane]->thread);
  if (one.how->sparse) {
    std::array<u32, 32> words;
    for (u32 lane = 0; lane < 32; ++lane) words[lane] = all[lane]->metadata;
    product->places =
        stored_places(*one.thread, one.line, "wgmma.mma_async.sp", one.how->metadata, words.data());
  }
  if (one.thread->warp->id / warps_of_group * warps_of_group + warps_of_group >
      one.thread->block->warps.size())
    refuse(0, "wgmma.mma_async in a warp without the three others of its warpgroup");
  const u32 registers = one.how->n / (one.how->d == Element::f16 ? 4 : 2);
  for (u32 lane = 0; lane < 32; ++lane) {
    const Operands& q = *all[lane];
    if (q.descriptor_a != one.descriptor_a || q.descriptor_b != one.descriptor_b ||
        q.accumulate != one.accumulate)
      refuse(
          lane,
          "wgmma.mma_async with matrix descriptors, or a scale-d, that differ between the lanes of a warp");
    InFlight& mine = in_flight(*q.thread);
    if (!mine.fenced)
      refuse(
          lane,
          "wgmma.mma_async without a wgmma.fence before the first one: registers and shared memory may not "
          "have been written yet");
    if (q.a) std::copy(q.a, q.a + 4, product->a[lane].begin());
    Change change{.product = product, .group = mine.committed, .d = {q.d, q.d + registers}};
    mine.registers.insert(change.d.begin(), change.d.end());
    if (!one.how->at_once) {
      for (const u32* const d : change.d) mine.unwaited[d] = {mine.committed, one.line};
      q.thread->products_in_flight = true;
    }
    mine.changes.push_back(std::move(change));
  }
  const Asynchrony mode = launch().mode();
  if (mode == Asynchrony::eager || one.how->at_once ||
      (mode == Asynchrony::random && one.thread->block->cluster->random() % 2 == 0))
    for (u32 lane = 0; lane < 32; ++lane) flush(*all[lane]->thread, ~u64{0});
}

void not_waited_for(GpuThread& thread, int line, const std::string& use, const char* product, int begun) {
  launch().fail(&thread, line,
                fmt::format("a product that is not waited for: it {}, which a wgmma.mma_async {} that {}: no "
                            "wgmma.wait_group lies between the two",
                            use, product, who(thread.number - launch().first_number(), begun, "began")));
}

}  // namespace

void wgmma_fence(Thread* t, int) { in_flight(of(t)).fenced = true; }

void wgmma_multiply(Thread* t, int line, const Wgmma& how, u32* const* d, const u32* a, u64 descriptor_a,
                    u64 descriptor_b, bool accumulate, u32 metadata) {
  Operands mine{&how, &of(t), line, d, a, descriptor_a, descriptor_b, accumulate, metadata};
  meet<Operands>(t, line, all_lanes, "wgmma.mma_async", mine, &begin);
}

void wgmma_commit(Thread* t, int) { ++in_flight(of(t)).committed; }

void wgmma_wait(Thread* t, int line, u32 pending) {
  struct Wait {
    GpuThread* thread;
    u32 pending;
  } mine{&of(t), pending};
  meet<Wait>(t, line, all_lanes, "wgmma.wait_group", mine, [](Wait* const* all, u32 lanes) {
    each_lane(lanes, [&](u32 lane) {
      GpuThread& thread = *all[lane]->thread;
      InFlight& its = in_flight(thread);
      const u64 until = its.committed > all[lane]->pending ? its.committed - all[lane]->pending : 0;
      flush(thread, until);
      const auto waited = [&](const auto& one) { return one.second.group < until; };
      std::erase_if(its.unwaited, waited);
      std::erase_if(its.held, waited);
      thread.products_in_flight = !its.unwaited.empty();
    });
  });
}

void wgmma_used(Thread* t, int line, const void* at, const char* name, const char* how) {
  const auto& unwaited = of(t).in_flight->unwaited;
  if (const auto found = unwaited.find(static_cast<const u32*>(at)); found != unwaited.end())
    not_waited_for(of(t), line, fmt::format("{} the register {}", how, name), "writes", found->second.line);
}

void wgmma_holds(Thread* t, int line, std::initializer_list<u32> registers) {
  InFlight& mine = *of(t).in_flight;
  for (const u32 number : registers) mine.held[number] = {mine.committed, line};
}

void wgmma_changed(Thread* t, int line, u32 number, const char* name) {
  const auto& held = of(t).in_flight->held;
  if (const auto found = held.find(number); found != held.end())
    not_waited_for(of(t), line, fmt::format("changes the register {}", name), "reads as its A",
                   found->second.line);
}

bool wgmma_moved(Thread* t, u32* to, const u32* from) {
  GpuThread& thread = of(t);
  if (!thread.products_in_flight) return false;
  auto& unwaited = thread.in_flight->unwaited;
  if (const auto found = unwaited.find(from); found != unwaited.end()) {
    const InFlight::Unwaited its = found->second;
    unwaited[to] = its;
  } else {
    unwaited.erase(to);
  }
  if (thread.in_flight->registers.count(from) == 0) return false;
  InFlight& mine = *thread.in_flight;
  mine.changes.push_back({.product = nullptr, .to = to, .from = from});
  mine.registers.insert(to);
  return true;
}

}  // namespace podium::ptx
