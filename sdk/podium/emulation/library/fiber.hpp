// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A fiber: a stack that can be left and come back to, by Boost.Context's switch. One for each thread of a
// device that is not there.
#pragma once
#include <sys/mman.h>

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
  // Called on the new stack, by the first switch to it; never returns. `argument` is start()'s.
  using Body = void (*)(void* argument);

  Fiber() = default;  // the stack that the OS thread came with
  // Only pages that are touched become real; below them lies a part that nobody may touch. Throws
  // std::bad_alloc.
  explicit Fiber(std::size_t stack_bytes) : bytes_((stack_bytes + guard - 1) / guard * guard + guard) {
    void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    low_ = static_cast<std::byte*>(memory);
    if (mprotect(low_, guard, PROT_NONE) != 0) {  // of mappings, too, there are only so many
      munmap(low_, bytes_);
      throw std::bad_alloc();
    }
  }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber() {
    if (low_) munmap(low_, bytes_);
  }

  // Forgets what the stack holds, of which nothing is destroyed; the next switch here calls `body`. `offset`
  // moves the stack's beginning, so that the hot ends of many stacks do not share cache lines.
  void start(Body body, void* argument, std::size_t offset = 0) {
#ifdef PODIUM_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(low_ + guard, bytes_ - guard);
    fake_stack_ = nullptr;
#endif
    body_ = body;
    argument_ = argument;
    context_ = boost::context::detail::make_fcontext(low_ + bytes_ - offset, bytes_ - guard - offset, &enter);
  }

  // Leaves `this`, which is running, for `to`. Returns when something switches back.
  void switch_to(Fiber& to) {
#ifdef PODIUM_ADDRESS_SANITIZER
    const auto [low, bytes] = to.stack();
    __sanitizer_start_switch_fiber(&fake_stack_, low, bytes);
#endif
    Switch how{this, &to};
    arrived(boost::context::detail::jump_fcontext(to.context_, &how));
  }

  bool holds(const void* at) const { return at >= low_ && at < low_ + bytes_; }

 private:
  static constexpr std::size_t guard = 64 << 10;  // bytes: a multiple of any system's page

  struct Switch {  // lies on the stack of the fiber that was left
    Fiber *from, *to;
  };

  // Notes where the fiber that was left can be resumed; returns the one that runs now.
  static Fiber& arrived(boost::context::detail::transfer_t jump) {
    const Switch how = *static_cast<const Switch*>(jump.data);
    how.from->context_ = jump.fctx;
#ifdef PODIUM_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(how.to->fake_stack_, nullptr, nullptr);
#endif
    return *how.to;
  }

  static void enter(boost::context::detail::transfer_t jump) {
    const Fiber& self = arrived(jump);
    self.body_(self.argument_);
  }

#ifdef PODIUM_ADDRESS_SANITIZER
  struct Stack {
    void* low;
    std::size_t bytes;
  };
  Stack stack() const {
    if (low_) return {low_ + guard, bytes_ - guard};
    Stack own{};
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &own.low, &own.bytes);
    pthread_attr_destroy(&attributes);
    return own;
  }
  void* fake_stack_ = nullptr;
#endif
  std::byte* low_ = nullptr;
  std::size_t bytes_ = 0;
  Body body_ = nullptr;
  void* argument_ = nullptr;
  boost::context::detail::fcontext_t context_ = nullptr;
};

}  // namespace podium::host
