// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/knowledge.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace podium::ptx {
namespace {

using OfBlock = Knowledge::OfBlock;

// Sixteen at a time, without a branch, which is what compilers make vector code of. Epochs lie less than 2^31
// apart, so that a difference has the sign of the comparison.
constexpr std::size_t step = 16;

bool any_earlier(const u32* x, const u32* y) {
  u32 any = 0;
  for (std::size_t i = 0; i < step; ++i) any |= x[i] - y[i];
  return static_cast<s32>(any) < 0;
}

// x becomes the later of each.
void take_later(u32* __restrict x, const u32* __restrict y, std::size_t size) {
  std::size_t at = 0;
  for (; at + step <= size; at += step)
    for (std::size_t i = at; i < at + step; ++i)
      x[i] += static_cast<u32>(std::max(static_cast<s32>(y[i] - x[i]), 0));
  for (; at < size; ++at) x[at] = std::max(x[at], y[at]);
}

// Whether some of x are earlier than those of y.
bool any_earlier(const u32* x, const u32* y, std::size_t size) {
  std::size_t at = 0;
  for (; at + step <= size; at += step)
    if (any_earlier(x + at, y + at)) return true;
  for (; at < size; ++at)
    if (x[at] < y[at]) return true;
  return false;
}

// The later of each; a or b itself where it has all of the other.
SharedEpochs later(const SharedEpochs& a, const SharedEpochs& b) {
  if (a == b) return a;
  const std::size_t size = a->size();
  if (!any_earlier(a->data(), b->data(), size)) return a;
  if (!any_earlier(b->data(), a->data(), size)) return b;
  auto both = SharedEpochs::make(*a);
  take_later(both->data(), b->data(), size);
  return both;
}

bool same(const std::vector<OfBlock>& a, const std::vector<OfBlock>& b) {
  return std::ranges::equal(a, b, [](const OfBlock& x, const OfBlock& y) { return x.epochs == y.epochs; });
}

std::vector<OfBlock> merged(const std::vector<OfBlock>& a, const std::vector<OfBlock>& b) {
  std::vector<OfBlock> both;
  both.reserve(std::max(a.size(), b.size()) + 1);
  auto x = a.begin(), y = b.begin();
  while (x != a.end() || y != b.end()) {
    if (y == b.end() || (x != a.end() && x->block < y->block))
      both.push_back(*x++);
    else if (x == a.end() || y->block < x->block)
      both.push_back(*y++);
    else {
      both.push_back({x->block, later(x->epochs, y->epochs)});
      ++x, ++y;
    }
  }
  return both;
}

auto place_of(std::vector<OfBlock>& blocks, u32 block) {
  return std::ranges::lower_bound(blocks, block, {}, &OfBlock::block);
}

// Of two objects by where they lie: Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
constexpr u32 bits_of_hash = 6;
std::size_t hash(const Known& a, const Known& b) {
  constexpr u64 golden = 0x9e3779b97f4a7c15;
  const u64 x = reinterpret_cast<std::uintptr_t>(&*a), y = reinterpret_cast<std::uintptr_t>(&*b);
  return (x * 3 + y) / alignof(std::max_align_t) * golden >> (64 - bits_of_hash);
}

}  // namespace

const u32* Knowledge::of_block(u32 block) const {
  const auto found = std::ranges::lower_bound(blocks, block, {}, &OfBlock::block);
  return found == blocks.end() || found->block != block ? nullptr : found->epochs->data();
}

Known joined(const Known& a, const Known& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  // Lanes of a warp, one after another, learn the same: each of some few things.
  struct Pair {
    Known a, b, both;
  };
  thread_local std::array<Pair, 1u << bits_of_hash> lately;
  Pair& last = lately[hash(a, b)];
  if (last.a != a || last.b != b) {
    std::vector<OfBlock> both = merged(a->blocks, b->blocks);
    // Where one knew all of the other, it stays the same object: the next comparisons end at once.
    Known known = same(both, a->blocks)   ? a
                  : same(both, b->blocks) ? b
                                          : Known::make(Knowledge{std::move(both)});
    last = {a, b, std::move(known)};
  }
  return last.both;
}

void Gathering::add(const Known& known) {
  if (!known || known == last_) return;
  last_ = known;
  snapshot_.reset();
  knowledge_.blocks = knowledge_.blocks.empty() ? known->blocks : merged(knowledge_.blocks, known->blocks);
}

void Gathering::set(const Moment& own) {
  snapshot_.reset();
  auto at = place_of(knowledge_.blocks, own.block);
  if (at == knowledge_.blocks.end() || at->block != own.block)
    at = knowledge_.blocks.insert(at, {own.block, SharedEpochs::make(own.threads)});
  if ((*at->epochs)[own.thread] >= own.epoch) return;
  if (at->epochs.owners() > 1) at->epochs = SharedEpochs::make(*at->epochs);
  (*at->epochs)[own.thread] = own.epoch;
}

void Gathering::clear() {
  knowledge_.blocks.clear();
  last_.reset();
  snapshot_.reset();
}

Known Gathering::snapshot() {
  if (empty()) return nullptr;
  if (!snapshot_) snapshot_ = Known::make(knowledge_);
  return snapshot_;
}

}  // namespace podium::ptx
