// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kokkos (3.4 to 5) on Podium's stream and tensors. It is initialised before the contestant's constructor and
// never finalised: the worker ends without running destructors.
#pragma once
#include <podium/podium.hpp>
#include <podium/startup.hpp>

#include <Kokkos_Core.hpp>
#include <type_traits>

namespace podium::kokkos {

inline void initialise() {
  if (!Kokkos::is_initialized()) Kokkos::initialize();  // the worker sees one device only
}
inline const bool hooked = (plugin::startup = initialise, true);

// The execution space that enqueues on `stream`; on the CPU the space itself.
template <class Space = Kokkos::DefaultExecutionSpace, class S = Stream>
Space space([[maybe_unused]] S stream) {
  if constexpr (std::is_constructible_v<Space, S>)
    return Space(stream);  // Cuda, HIP
  else
    return Space();  // OpenMP, Threads, Serial
}

// T with `rank` stars: how Kokkos spells a rank whose extents are known at run time.
template <class T, int Rank>
struct Stars {
  using type = typename Stars<T*, Rank - 1>::type;
};
template <class T>
struct Stars<T, 0> {
  using type = T;
};

// An unmanaged View of a tensor: same memory, extents and strides.
template <class T, int Rank>
auto view(const Tensor<T, Rank>& tensor) {
  Kokkos::LayoutStride layout;
  for (int axis = 0; axis < Rank; ++axis) {
    layout.dimension[axis] = static_cast<std::size_t>(tensor.extent(axis));
    layout.stride[axis] = static_cast<std::size_t>(tensor.stride(axis));
  }
  return Kokkos::View<typename Stars<T, Rank>::type, Kokkos::LayoutStride,
                      Kokkos::DefaultExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      tensor.data, layout);
}

}  // namespace podium::kokkos
