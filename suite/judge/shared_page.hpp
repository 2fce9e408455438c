// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "suite/base/descriptor.hpp"
#include "suite/device/lane.hpp"

namespace podium::judge {

// The page that judge and worker share, in a memfd.
class SharedPage {
 public:
  SharedPage();
  ~SharedPage();
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;
  device::Page& operator*() const { return *page_; }
  int descriptor() const { return memory_.get(); }
  void open_gate(std::uint32_t ticket);          // wakes a worker that sleeps on it
  void open_without_wake(std::uint32_t ticket);  // for a worker that stands still: it looks when it goes on
  void cancel(std::uint32_t ticket);             // opens the gate for a worker that is to call nobody

 private:
  Descriptor memory_;
  device::Page* page_ = nullptr;
};

}  // namespace podium::judge
