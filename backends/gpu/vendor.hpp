// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What only the vendor's side knows.
#pragma once
#include <cstddef>

#include "suite/device/device.hpp"

namespace podium::gpu {

// Makes device `ordinal` the process's own. Throws podium::Error(Exit::no_device): no driver, no device, no
// permission.
void choose_device(int ordinal);

device::Description describe_device(int ordinal);

// Bytes whose writing leaves nothing else in the caches.
std::size_t flush_bytes(const device::Description& description);

// Gives up what contestants made to persist in the cache, which no flush evicts.
void reset_persisting_cache();

// A module with the kernel podium_gate(word, ticket, nanoseconds), which ends when the word holds the ticket
// or the time has passed; nullptr: none for this vendor.
const char* spinning_gate();

}  // namespace podium::gpu
