// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium::launch and what goes with it. A launch returns when the kernel has run; it throws
// std::runtime_error if a GPU would refuse the launch, or if a thread broke a rule. The text names block,
// thread, file and line.
#pragma once
#include <podium/emulation/block.hpp>
#include <podium/platform.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

// The dynamic shared memory of the block, as an array of T named `name`; 16-byte aligned.
#define PODIUM_DYNAMIC_SHARED(T, name) T* const name = reinterpret_cast<T*>(podium::host::dynamic_shared())

namespace podium {
namespace host {

using Kernel = void (*)();  // of whatever type it is

// Runs `call(arguments)`, which runs `kernel`, as each of the launch's threads, in warps of 32 or 64 lanes.
void run(Kernel kernel, void (*call)(const void* arguments), const void* arguments, dim3 grid, dim3 block,
         std::size_t shared_bytes, unsigned warp_lanes);
void allow_shared(Kernel kernel, int bytes);

}  // namespace host

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes, Stream,
            Arguments&&... arguments) {
  using Call = std::tuple<void (*)(Parameters...), std::remove_cv_t<Parameters>...>;
  const Call call{kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...};
  const auto apply = [](const void* what) {
    std::apply([](auto function, const auto&... parameters) { function(parameters...); },
               *static_cast<const Call*>(what));
  };
  host::run(reinterpret_cast<host::Kernel>(kernel), apply, &call, grid, block, shared_bytes, PODIUM_WARP);
}

// Call it once, in the constructor, for a kernel that needs more than 48 KiB of dynamic shared memory.
template <class... Parameters>
void allow_shared(void (*kernel)(Parameters...), int bytes) {
  host::allow_shared(reinterpret_cast<host::Kernel>(kernel), bytes);
}

}  // namespace podium
