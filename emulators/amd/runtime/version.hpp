// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which version of HIP the stand-in is: that of the headers it was built with, whose conventions it follows.
#pragma once
#include <hip/hip_version.h>

#include <cstdint>

namespace podium::amd {

inline constexpr int runtime_version = HIP_VERSION;
inline constexpr int descriptors_by_value_since = 70100000;  // HIP 7.1

// The descriptor that a program hands over to be imported: before HIP 7.1 its address is given, from then on
// the number itself stands in the place of the pointer.
inline int descriptor_of(const void* shared, int version) {
  return version < descriptors_by_value_since ? *static_cast<const int*>(shared)
                                              : static_cast<int>(reinterpret_cast<std::intptr_t>(shared));
}

}  // namespace podium::amd
