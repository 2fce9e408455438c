// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What only the vendor's side knows.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "backends/gpu/api.hpp"
#include "suite/device/device.hpp"

namespace podium::gpu {

// Makes device `ordinal` the process's own. Throws podium::Error(Fault::device): no driver, no device, no
// permission.
void choose_device(int ordinal);

// What a user can do about an error, where its own text does not say it; else empty.
std::string advice(api::Status status);

device::Description describe_device(int ordinal);

// Bytes whose reading leaves nothing else in the caches.
std::size_t flush_bytes(const device::Description& description);

// Gives up what contestants made to persist in the cache, which no flush evicts.
void reset_persisting_cache();

// Of the timer that a kernel reads beside the clock (suite/problem/program/clock.hpp).
double timer_ticks_per_microsecond(int ordinal);

// What the vendor's management library tells of the device; NoSensors saying why, if it tells nothing.
std::unique_ptr<device::Sensors> open_sensors(const device::Description& description);

// A module with two kernels. podium_gate(word, ticket, ticks of the timer) ends when the word holds the
// ticket or so many ticks have passed. podium_read(from, packets, never) reads packets of 16 bytes; it writes
// only if their words, combined by exclusive or in a thread, are `never`.
const char* own_kernels();

}  // namespace podium::gpu
