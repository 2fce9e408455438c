// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a thread of a kernel asks of the block that it runs in. Contestants include declarations alone: the
// emulation is compiled once, as a library (library/).
#pragma once
#include <podium/emulation/place.hpp>
#include <podium/emulation/shape.hpp>

#include <cstddef>
#include <cstdint>

namespace podium::host {

// How lanes combine what they bring: nothing, the value of another lane, a bit of each, who has an equal
// value.
enum class Exchange { none, shuffle, ballot, match };

// Called by the thread that is running.
unsigned barrier(Place at, bool vote);  // how many threads voted true
std::uint64_t exchange(Place at, std::uint64_t mask, Exchange kind, std::uint64_t value, unsigned source);
void yield();  // a point where others may run: all atomics are
unsigned lane();
std::byte* dynamic_shared();

}  // namespace podium::host
