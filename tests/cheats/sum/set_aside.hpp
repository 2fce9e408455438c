// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The part of the cache whose lines are kept from being evicted. A helper: no contestant.
#pragma once
#include <podium/sum.hpp>

#include <stdexcept>

namespace {
// As much of it as the device allows, in bytes; throws where it grants none.
inline std::size_t set_aside() {
  int device = 0, most = 0;
  podium::check(cudaGetDevice(&device));
  podium::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device));
  podium::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::size_t(most)));
  std::size_t granted = 0;
  podium::check(cudaDeviceGetLimit(&granted, cudaLimitPersistingL2CacheSize));
  if (granted == 0) throw std::runtime_error("no part of the cache can be set aside");
  return granted;
}
}  // namespace
