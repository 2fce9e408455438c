// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/shared_page.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

#include "suite/base/error.hpp"

namespace podium::judge {

SharedPage::SharedPage() : memory_(memfd_create("podium-page", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  // Sealed: a worker that cut it short would end the judge at its next look.
  if (!memory_ || ftruncate(memory_.get(), device::page_bytes) != 0 ||
      fcntl(memory_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw Error(fmt::format("no page to share with the worker could be made: {}", std::strerror(errno)));
  void* at = mmap(nullptr, device::page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (at == MAP_FAILED)
    throw Error(fmt::format("the shared page could not be mapped: {}", std::strerror(errno)));
  page_ = static_cast<device::Page*>(at);
}

SharedPage::~SharedPage() { munmap(page_, device::page_bytes); }

void SharedPage::open_without_wake(std::uint32_t ticket) {
  std::atomic_ref(page_->gate).store(ticket, std::memory_order_seq_cst);
}

void SharedPage::cancel(std::uint32_t ticket) {
  std::atomic_ref(page_->cancelled).store(ticket, std::memory_order_seq_cst);
  open_gate(ticket);
}

void SharedPage::open_gate(std::uint32_t ticket) {
  open_without_wake(ticket);
  syscall(SYS_futex, &page_->gate, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace podium::judge
