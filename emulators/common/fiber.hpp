// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A stack that can be left and come back to, by Boost.Context's switch: one for each thread, or wave, of a
// device.
#pragma once
#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <new>

namespace podium::emulation {

class Fiber {
 public:
  // Called on the new stack, by the first switch to it; never returns. `argument` is start()'s.
  using Body = void (*)(void* argument);

  // Only pages that are touched become real; below them lies one that nobody may touch.
  explicit Fiber(std::size_t stack_bytes) : bytes_((stack_bytes + page - 1) / page * page + page) {
    low_ = static_cast<std::byte*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0));
    if (low_ == MAP_FAILED) throw std::bad_alloc();
    if (mprotect(low_, page, PROT_NONE) != 0) {  // of mappings, too, there are only so many
      munmap(low_, bytes_);
      throw std::bad_alloc();
    }
  }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber() { munmap(low_, bytes_); }

  // Forgets what the stack holds, of which nothing is destroyed. `offset` moves its beginning, that the hot
  // ends of many stacks do not fall on the same cache lines.
  void start(Body body, void* argument, std::size_t offset = 0) {
    body_ = body;
    argument_ = argument;
    context_ = boost::context::detail::make_fcontext(low_ + bytes_ - offset, bytes_ - page - offset, &enter);
  }
  // From the scheduler: runs the fiber until it, or one that it passed to, leaves.
  void resume() {
    Switch to{nullptr, this};
    arrived(boost::context::detail::jump_fcontext(context_, &to));
  }
  // From inside: back to the scheduler.
  void leave() {
    Switch to{this, nullptr};
    arrived(boost::context::detail::jump_fcontext(scheduler_, &to));
  }
  // From inside: to another fiber that waits to be resumed, with no way round by the scheduler.
  void pass_to(Fiber& next) {
    next.scheduler_ = scheduler_;
    Switch to{this, &next};
    arrived(boost::context::detail::jump_fcontext(next.context_, &to));
  }

  bool holds(const void* at) const { return at >= low_ && at < low_ + bytes_; }

 private:
  static constexpr std::size_t page = 64 << 10;  // a multiple of any system's

  // Lies on the stack of who jumps. nullptr: the scheduler.
  struct Switch {
    Fiber *from, *to;
  };

  // Of who was jumped to: keeps where the other one goes on.
  static Fiber* arrived(boost::context::detail::transfer_t jump) {
    const Switch& how = *static_cast<const Switch*>(jump.data);
    if (how.from)
      how.from->context_ = jump.fctx;
    else
      how.to->scheduler_ = jump.fctx;
    return how.to;
  }

  static void enter(boost::context::detail::transfer_t jump) {
    Fiber* const self = arrived(jump);
    self->body_(self->argument_);
  }

  std::size_t bytes_;
  std::byte* low_ = nullptr;
  Body body_ = nullptr;
  void* argument_ = nullptr;
  boost::context::detail::fcontext_t context_ = nullptr, scheduler_ = nullptr;
};

}  // namespace podium::emulation
