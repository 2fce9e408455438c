// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Puts a jump over functions of the CUDA driver, on which the runtime's rest. A helper: no contestant.
#pragma once
#include "overwritten.hpp"

namespace {
template <class Function>
void overwrite_driver(const char* name, Function* instead) {
  void* const to = reinterpret_cast<void*>(instead);
  if (void* driver = dlopen("libcuda.so.1", RTLD_NOW))
    if (void* found = dlsym(driver, name)) overwrite_function(found, to);
  for (const unsigned version :
       {2000u, 7000u, 11010u, 12080u, 13000u}) {  // where the runtime looks its entry points up
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    if (cudaGetDriverEntryPointByVersion(name, &entry, version, cudaEnableDefault, &found) == cudaSuccess &&
        entry != nullptr)
      overwrite_function(entry, to);
  }
}
}  // namespace
