// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/user.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"

namespace podium {
namespace {

// systemd's DynamicUser range: ids there are given out for a service's life and belong to no account.
constexpr uid_t first_uid = 61184, last_uid = 65519;

// Real ids of all processes.
std::set<uid_t> uids_in_use() {
  std::set<uid_t> uids;
  std::error_code gone;
  for (const auto& folder : std::filesystem::directory_iterator("/proc", gone)) {
    if (std::isdigit(static_cast<unsigned char>(folder.path().filename().c_str()[0])) == 0) continue;
    std::ifstream status(folder.path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("Uid:")) {
        uids.insert(static_cast<uid_t>(std::strtoul(line.c_str() + 4, nullptr, 10)));
        break;
      }
  }
  return uids;
}

}  // namespace

bool reserve_uid(uid_t uid) {
  static std::map<uid_t, Descriptor> held;  // locks: gone with this process, however it ends
  if (held.contains(uid)) return true;
  const std::string folder = "/run/podium-uids";  // root's alone: a worker cannot take what is there
  mkdir(folder.c_str(), S_IRWXU);
  Descriptor file(open((folder + "/" + std::to_string(uid)).c_str(),
                       O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!file) return true;
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) return false;
  held.emplace(uid, std::move(file));
  return true;
}

std::optional<uid_t> worker_uid() {
  if (geteuid() != 0) return std::nullopt;
  constexpr uid_t ids = last_uid - first_uid + 1, stride = 64;
  const std::set<uid_t> taken = uids_in_use();
  // Two runs beside each other begin to look at different places.
  const uid_t start = static_cast<uid_t>(getpid()) * stride;
  for (uid_t i = 0; i < ids; ++i)
    if (const uid_t uid = first_uid + (start + i) % ids;
        !taken.contains(uid) && !getpwuid(uid) && reserve_uid(uid))
      return uid;
  throw Error(
      "no user id is left for a worker: processes use every one from 61184 to 65519; end some of them");
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
