// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A fiber: a stack that can be left and come back to, by Boost.Context's switch.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <new>
#if defined(__SANITIZE_ADDRESS__)
#define PODIUM_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PODIUM_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef PODIUM_ADDRESS_SANITIZER
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace podium::host {

class Fiber {
 public:
  // What the fiber runs; it never returns. arrived() must be its first call.
  using Body = void (*)(boost::context::detail::transfer_t);

  Fiber() = default;  // the stack that the OS thread came with
  explicit Fiber(Body body) {
    void* const memory = mmap(nullptr, guard() + stack_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory, guard(), PROT_NONE);
    low_ = static_cast<std::byte*>(memory) + guard();
    restart(body);
  }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber() {
    if (low_) munmap(low_ - guard(), guard() + stack_bytes);
  }

  // Forgets what the stack holds; nothing on it is destroyed. The next switch here calls `body`.
  void restart(Body body) {
#ifdef PODIUM_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(low_, stack_bytes);
    fake_stack_ = nullptr;
#endif
    context_ = boost::context::detail::make_fcontext(low_ + stack_bytes, stack_bytes, body);
  }

  // Leaves `this`, which is running, for `to`. Returns when something switches back.
  void switch_to(Fiber& to) {
#ifdef PODIUM_ADDRESS_SANITIZER
    const auto [low, bytes] = to.stack();
    __sanitizer_start_switch_fiber(&fake_stack_, low, bytes);
#endif
    arrived(boost::context::detail::jump_fcontext(to.context_, this), *this);
  }

  // Notes where the fiber that was left can be resumed; called by a body at its start.
  static void arrived(boost::context::detail::transfer_t from, [[maybe_unused]] Fiber& here) {
    static_cast<Fiber*>(from.data)->context_ = from.fctx;
#ifdef PODIUM_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(here.fake_stack_, nullptr, nullptr);
#endif
  }

 private:
  // Room for a kernel that prints or throws; only pages that are touched become real.
  static constexpr std::size_t stack_bytes = 128 << 10;
  static std::size_t guard() {
    static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return page;
  }

#ifdef PODIUM_ADDRESS_SANITIZER
  struct Stack {
    void* low;
    std::size_t bytes;
  };
  Stack stack() const {
    Stack own{low_, stack_bytes};
    if (low_) return own;
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &own.low, &own.bytes);
    pthread_attr_destroy(&attributes);
    return own;
  }
  void* fake_stack_ = nullptr;
#endif
  std::byte* low_ = nullptr;
  boost::context::detail::fcontext_t context_ = nullptr;
};

}  // namespace podium::host
