// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A typed view of device memory, and of small data that lies in host memory as well.
#pragma once
#include <podium/platform.hpp>

#include <type_traits>
#if defined(PODIUM_EMULATE)
#include <podium/emulation/index.hpp>
#endif

namespace podium {

#if !defined(PODIUM_EMULATE)
// The offset of an element from the first one, in elements.
template <int Rank, class View, class... Indices>
PODIUM_BOTH std::int64_t place([[maybe_unused]] const View& view, Indices... index) {
  static_assert(sizeof...(Indices) == Rank, "one index per axis");
  static_assert((std::is_integral_v<Indices> && ...), "indices are integers");
  std::int64_t at = 0;
  [[maybe_unused]] int axis = 0;
  ((at += static_cast<std::int64_t>(index) * view.stride(axis++)), ...);
  return at;
}
#endif

// Passes by value into kernels; trivially copyable. `const T` for inputs. t(i, j) takes one integer for each
// axis. Only emulation checks it against the extents.
template <class T, int Rank>
struct Tensor {
  static_assert(Rank >= 0 && Rank <= 6, "tensors have up to six axes");
  T* data;
  std::int64_t extents[Rank > 0 ? Rank : 1];
  std::int64_t strides[Rank > 0 ? Rank : 1];  // in elements

  PODIUM_BOTH std::int64_t extent(int axis) const { return extents[axis]; }
  PODIUM_BOTH std::int64_t stride(int axis) const { return strides[axis]; }
  PODIUM_BOTH std::int64_t size() const {  // elements
    std::int64_t count = 1;
    for (int axis = 0; axis < Rank; ++axis) count *= extents[axis];
    return count;
  }

#if defined(PODIUM_EMULATE)
  // One overload a rank, not a template: converting an index to host::Index notes the caller's file and line.
  using At = host::Index;
  T& operator()() const
    requires(Rank == 0)
  {
    return *data;
  }
  T& operator()(At a) const
    requires(Rank == 1)
  {
    return *at(a);
  }
  T& operator()(At a, At b) const
    requires(Rank == 2)
  {
    return *at(a, b);
  }
  T& operator()(At a, At b, At c) const
    requires(Rank == 3)
  {
    return *at(a, b, c);
  }
  T& operator()(At a, At b, At c, At d) const
    requires(Rank == 4)
  {
    return *at(a, b, c, d);
  }
  T& operator()(At a, At b, At c, At d, At e) const
    requires(Rank == 5)
  {
    return *at(a, b, c, d, e);
  }
  T& operator()(At a, At b, At c, At d, At e, At f) const
    requires(Rank == 6)
  {
    return *at(a, b, c, d, e, f);
  }

 private:
  template <class... Indices>
  T* at(Indices... index) const {
    return data + host::offset<Rank>(extents, strides, {index...});
  }
#else
  template <class... Indices>
  PODIUM_BOTH T& operator()(Indices... index) const {
    return data[place<Rank>(*this, index...)];
  }
#endif
};

// A tensor whose last axis is contiguous, as problems have it by default: t(i) is t.data[i], without a
// multiplication by a stride. It converts to Tensor, which does not keep that knowledge.
template <class T, int Rank>
struct PackedTensor : Tensor<T, Rank> {
  PODIUM_BOTH std::int64_t stride(int axis) const {
    return axis == Rank - 1 ? 1 : Tensor<T, Rank>::strides[axis];
  }
#if !defined(PODIUM_EMULATE)
  template <class... Indices>
  PODIUM_BOTH T& operator()(Indices... index) const {
    return Tensor<T, Rank>::data[place<Rank>(*this, index...)];
  }
#endif
};

// The same numbers in host memory, for planning, and in device memory, for kernels. Both keep their addresses
// while the contestant lives.
template <class T, int Rank>
struct Structure {
  PackedTensor<const T, Rank> host, device;
};

}  // namespace podium
