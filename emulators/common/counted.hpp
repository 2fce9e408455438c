// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A shared pointer whose owners are all of one thread of the system: std::shared_ptr counts atomically as
// soon as a process has a second one, which took a tenth of a launch's time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

namespace podium::emulation {

template <class T>
class Counted {
 public:
  Counted() = default;
  Counted(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): as std::shared_ptr has it
  template <class... Arguments>
  static Counted make(Arguments&&... arguments) {
    Counted made;
    made.box_ = new Box{T(std::forward<Arguments>(arguments)...), 1};
    return made;
  }
  Counted(const Counted& other) : box_(other.box_) {
    if (box_) ++box_->owners;
  }
  Counted(Counted&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
  Counted& operator=(Counted other) noexcept {
    std::swap(box_, other.box_);
    return *this;
  }
  ~Counted() {
    if (box_ && --box_->owners == 0) delete box_;
  }

  void reset() { *this = Counted(); }
  std::uint32_t owners() const { return box_ ? box_->owners : 0; }
  T& operator*() const { return box_->value; }
  T* operator->() const { return &box_->value; }
  explicit operator bool() const { return box_ != nullptr; }
  friend bool operator==(const Counted& a, const Counted& b) { return a.box_ == b.box_; }

 private:
  struct Box {
    T value;
    std::uint32_t owners;
  };
  Box* box_ = nullptr;
};

}  // namespace podium::emulation
