// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include <podium/emulation/block.hpp>
#include <podium/emulation/index.hpp>
#include <podium/emulation/library/scheduler.hpp>

#include <stdexcept>

namespace podium::host {
namespace {

template <class Integer>
[[noreturn]] void does_not_fit(Integer extent) {
  throw std::out_of_range("launch: an extent of " + std::to_string(extent) +
                          " does not fit the 32 bits of dim3");
}

}  // namespace

void refuse_extent(long long extent) { does_not_fit(extent); }
void refuse_extent(unsigned long long extent) { does_not_fit(extent); }

unsigned barrier(Place at, bool vote) { return scheduler->barrier(at, vote); }
std::uint64_t exchange(Place at, std::uint64_t mask, Exchange kind, std::uint64_t value, unsigned source) {
  return scheduler->exchange(at, mask, kind, value, source);
}
void yield() { scheduler->yield(); }
unsigned lane() { return scheduler->lane(); }
std::byte* dynamic_shared() { return scheduler->dynamic_shared(); }

void index_out_of_range(const std::int64_t* extents, const Index* indices, int rank) {
  {
    std::string index, extent;
    for (int axis = 0; axis < rank; ++axis) {
      index += (axis ? ", " : "") + std::to_string(indices[axis].value);
      extent += (axis ? ", " : "") + std::to_string(extents[axis]);
    }
    const std::string what = std::string(indices[0].file) + ":" + std::to_string(indices[0].line) +
                             ": index (" + index + ") is outside a tensor of extents (" + extent + ")";
    if (!scheduler) throw std::out_of_range(what);
    scheduler->note(what);
  }
  scheduler->leave();
}

}  // namespace podium::host
