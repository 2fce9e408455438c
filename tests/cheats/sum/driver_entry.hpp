// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Functions of the CUDA driver, which plugins are not linked with. A helper: no contestant.
#pragma once
#include <podium/sum.hpp>

#include <cuda.h>

#include <stdexcept>
#include <string>

namespace {
template <class Function>
Function driver_entry(const char* name) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  podium::check(cudaGetDriverEntryPointByVersion(name, &entry, CUDART_VERSION, cudaEnableDefault, &found));
  if (entry == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
  return reinterpret_cast<Function>(entry);
}
}  // namespace

// DRIVER(cuMemMap)(…): in the version that cuda.h declares by this name.
#define DRIVER(function) driver_entry<decltype(&function)>(#function)
