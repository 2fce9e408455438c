// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/signals.hpp"

#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "suite/base/error.hpp"

namespace podium::cluster {

Signals::Signals() {
  sigset_t all;
  sigemptyset(&all);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCONT}) sigaddset(&all, signal);
  ::sigprocmask(SIG_BLOCK, &all, &before_);
  noted_.reset(::signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!noted_) throw Error(fmt::format("signalfd failed: {}", std::strerror(errno)));
}

Signals::~Signals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

Told Signals::next() {
  signalfd_siginfo info{};
  if (::read(noted_.get(), &info, sizeof info) != sizeof info) return Told::nothing;
  if (info.ssi_signo == SIGUSR1) return Told::time_out;
  return info.ssi_signo == SIGCONT ? Told::resumed : Told::stop;
}

}  // namespace podium::cluster
