// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/user.hpp"

#include <pwd.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace podium {
namespace {

// systemd's DynamicUser range: ids there are given out for a service's life and belong to no account.
constexpr uid_t first_uid = 61184, last_uid = 65519;

}  // namespace

std::optional<uid_t> worker_uid() {
  if (geteuid() != 0) return std::nullopt;
  // One id per podium, so that two runs beside each other cannot end each other's workers.
  uid_t uid = first_uid + static_cast<uid_t>(getpid()) % (last_uid - first_uid + 1);
  while (getpwuid(uid) && uid < last_uid) ++uid;
  return uid;
}

void kill_all_of(pid_t leader, uid_t uid) {
  if (leader > 1) kill(-leader, SIGKILL);
  if (uid == 0 || geteuid() != 0) return;
  const pid_t killer = fork();
  if (killer == 0) {
    if (setresuid(uid, uid, uid) == 0) kill(-1, SIGKILL);  // all that this uid may signal; itself last
    _exit(0);
  }
  if (killer > 0) waitpid(killer, nullptr, 0);
}

}  // namespace podium
