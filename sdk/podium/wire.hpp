// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From the plain numbers of the edge to the types of a contestant; included by every generated problem
// header.
#pragma once
#include <podium/podium.hpp>
#include <podium/table.hpp>

namespace podium::wire {

template <class T, int Rank>
podium::Tensor<T, Rank> view(const Tensor& tensor, void* data) {
  podium::Tensor<T, Rank> result{};
  result.data = static_cast<T*>(data);
  for (int axis = 0; axis < Rank; ++axis) {
    result.extents[axis] = tensor.extents[axis];
    result.strides[axis] = tensor.strides[axis];
  }
  return result;
}
template <class T, int Rank>
podium::Tensor<T, Rank> view(const Tensor& tensor) {
  return view<T, Rank>(tensor, tensor.data);
}
template <class T, int Rank>
podium::Structure<T, Rank> both(const Tensor& tensor) {
  return {view<const T, Rank>(tensor, tensor.host), view<const T, Rank>(tensor)};
}

}  // namespace podium::wire
