// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The other user id that workers get when Podium was started as root, and how to end all that a worker
// started.
#pragma once
#include <sys/types.h>

#include <optional>

namespace podium {

// An id that no account uses and no process has, from the range systemd keeps for such: workers that are
// there at the same time can neither look into nor signal each other. Nothing unless this process is root.
// Throws podium::Error if all are taken.
std::optional<uid_t> worker_uid();

// SIGKILL to the process group that `leader` leads and, if `uid` is not 0, to every process of that uid: a
// child that left the group does not get away. Does not wait; well if they have ended.
void kill_all_of(pid_t leader, uid_t uid);

}  // namespace podium
