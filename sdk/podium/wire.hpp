// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From the plain numbers of the edge to the types of a contestant; included by every generated problem
// header.
#pragma once
#include <podium/podium.hpp>
#include <podium/table.hpp>

namespace podium::wire {

template <class View, class T, int Rank>
View view_of(const Tensor& tensor, void* data) {
  View result{};
  result.data = static_cast<T*>(data);
  for (int axis = 0; axis < Rank; ++axis) {
    result.extents[axis] = tensor.extents[axis];
    result.strides[axis] = tensor.strides[axis];
  }
  return result;
}
template <class T, int Rank>
podium::Tensor<T, Rank> view(const Tensor& tensor) {
  return view_of<podium::Tensor<T, Rank>, T, Rank>(tensor, tensor.data);
}
template <class T, int Rank>
podium::PackedTensor<T, Rank> packed(const Tensor& tensor, void* data) {
  if constexpr (Rank > 0)
    if (tensor.strides[Rank - 1] != 1) throw Error("a tensor's last axis is not contiguous");
  return view_of<podium::PackedTensor<T, Rank>, T, Rank>(tensor, data);
}
template <class T, int Rank>
podium::PackedTensor<T, Rank> packed(const Tensor& tensor) {
  return packed<T, Rank>(tensor, tensor.data);
}
template <class T, int Rank>
podium::Structure<T, Rank> both(const Tensor& tensor) {
  return {packed<const T, Rank>(tensor, tensor.host), packed<const T, Rank>(tensor)};
}

}  // namespace podium::wire
