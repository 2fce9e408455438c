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

// Keeps a user id from other runs of Podium while this process lives: two that gave a worker the same one
// would end each other's. False: another has it. Where nothing can be written down in /run it is had at once.
bool reserve_uid(uid_t uid);

// SIGKILL to the process group that `leader` leads and, if `uid` is not 0, to every process of that uid: a
// child that left the group does not get away. Does not wait; well if they have ended.
void kill_all_of(pid_t leader, uid_t uid);

}  // namespace podium
