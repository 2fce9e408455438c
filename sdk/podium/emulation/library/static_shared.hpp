// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The static __shared__ variables of the library or program that this is linked into.
#pragma once

namespace podium::host {

// Sets all bits of this OS thread's. Throws std::runtime_error if they could not be found.
void poison_static_shared();

}  // namespace podium::host
