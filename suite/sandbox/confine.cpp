// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/confine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "suite/base/descriptor.hpp"
#include "suite/sandbox/process_tree.hpp"

namespace podium::sandbox {
namespace {

constexpr rlim_t most_descriptors = 1024;

// The groups that own the device nodes of AMD GPUs: a worker under another uid keeps them.
std::vector<gid_t> device_groups() {
  std::vector<gid_t> groups;
  for (const char* node : {"/dev/kfd", "/dev/dri/renderD128"})
    if (struct stat status{}; stat(node, &status) == 0 && status.st_gid != 0) groups.push_back(status.st_gid);
  return groups;
}

// Also for a worker that remains root: with "no new privileges" it never gets them back.
bool give_up_capabilities() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  return syscall(SYS_capset, &header, none) == 0;
}

void limit(int resource, rlim_t most) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
  now.rlim_max = std::min(now.rlim_max, most);
  now.rlim_cur = std::min(now.rlim_cur, now.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

bool put(const char* file, std::string_view text) {
  const Descriptor at(open(file, O_WRONLY | O_CLOEXEC));
  return at && write(at.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

Descriptor opened(const std::string& file) { return Descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC)); }

// The one interface that a new network namespace has, which is down at first.
bool raise_loopback() {
  const Descriptor any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq loopback{};
  std::memcpy(loopback.ifr_name, "lo", sizeof "lo");
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  return any && ioctl(any.get(), SIOCSIFFLAGS, &loopback) == 0;
}

// Folders that a program may load libraries from, as the environment names them.
std::vector<std::string> library_folders() {
  std::vector<std::string> all;
  const char* const stated = std::getenv("LD_LIBRARY_PATH");
  for (std::string_view rest = stated ? stated : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) all.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return all;
}

}  // namespace

bool may_administer() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {};
  return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & (1u << CAP_SYS_ADMIN)) != 0;
}

Confinement::Confinement(const Sandbox& sandbox, const std::filesystem::path& folder, std::string scratch)
    : sandbox_(sandbox), groups_(device_groups()) {
  const MeansSet& means = sandbox_.means;
  if (means.has(Means::network)) namespaces_ |= CLONE_NEWNET;
  if (means.has(Means::ipc)) namespaces_ |= CLONE_NEWIPC;
  if (means.has(Means::mounts)) namespaces_ |= CLONE_NEWNS;
  by_user_ = namespaces_ != 0 && !may_administer();
  loopback_ = sandbox_.loopback && means.has(Means::network);
  if (loopback_ && sandbox_.beside != 0) {
    const std::pair<const char*, int> all[] = {{"user", by_user_ ? CLONE_NEWUSER : 0},
                                               {"net", namespaces_ & CLONE_NEWNET},
                                               {"ipc", namespaces_ & CLONE_NEWIPC},
                                               {"mnt", namespaces_ & CLONE_NEWNS}};
    for (const auto& [name, flag] : all)
      if (flag != 0) joined_.push_back(fmt::format("/proc/{}/ns/{}", sandbox_.beside, name));
    // One that cannot be looked into keeps its own: then libraries' ranks do not find each other.
    if (std::ranges::any_of(joined_, [](const std::string& file) { return !opened(file); })) joined_.clear();
  }
  const uid_t uid = sandbox_.uid.value_or(geteuid());
  const gid_t gid = sandbox_.uid ? static_cast<gid_t>(*sandbox_.uid) : getegid();
  user_map_ = fmt::format("{0} {0} 1", uid);
  group_map_ = fmt::format("{0} {0} 1", gid);
  // Of a user of its own, or of its namespace; else the user's other processes count as well.
  most_processes_ = static_cast<rlim_t>(most_threads());
  if (!sandbox_.uid && !by_user_) most_processes_ += static_cast<rlim_t>(threads_of_user(uid));
  const auto hidden = sandbox_.hides() ? sandbox_.hidden : std::vector<std::string>{};
  const bool hides_processes = means.has(Means::processes) && !by_user_;
  const bool narrow = !sandbox_.readable.empty();
  if (means.has(Means::mounts) && narrow) {
    view_ = std::make_unique<NarrowView>(sandbox_.readable, sandbox_.folder, hides_processes);
  } else if (means.has(Means::mounts)) {
    std::vector<std::string> kept = library_folders();
    kept.push_back(folder.string());
    kept.push_back((folder.parent_path() / "lib").string());  // where an installed one has libraries
    kept.insert(kept.end(), sandbox_.kept.begin(), sandbox_.kept.end());
    view_ = std::make_unique<PrivateMounts>(sandbox_.scratch_bytes, std::move(kept), hides_processes, hidden,
                                            sandbox_.covered);
  }
  if (means.has(Means::landlock)) {
    auto writable = view_ && !narrow ? PrivateMounts::scratch() : std::vector<std::string>{};
    if (!scratch.empty()) writable.push_back(std::move(scratch));
    landlock_ = std::make_unique<Landlock>(std::move(writable), hidden, sandbox_.readable);
  }
  constexpr int landlock_bounds_signals = 6;
  const bool bounded = landlock_ && landlock_version() >= landlock_bounds_signals;
  if (landlock_ && loopback_) landlock_->leave_networks();
  if (means.has(Means::seccomp)) filter_ = std::make_unique<CallFilter>(!sandbox_.uid && !bounded, loopback_);
}

bool Confinement::map_user() const {
  prctl(PR_SET_DUMPABLE, 1);  // else these files belong to root
  return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", user_map_) &&
         put("/proc/self/gid_map", group_map_);
}

// The mounts come last: in them /proc may show this process nobody else.
const char* Confinement::join() const {
  for (const std::string& file : joined_) {
    const Descriptor one = opened(file);
    if (!one || setns(one.get(), 0) != 0) return "the namespaces of its group";
  }
  return nullptr;
}

const char* Confinement::separate(bool by_user) const {
  if (namespaces_ == 0) return nullptr;
  if (!joined_.empty()) return join();
  if (unshare(namespaces_ | (by_user ? CLONE_NEWUSER : 0)) != 0) return "namespaces";
  if (by_user && !map_user()) return "the user's namespace";
  if (loopback_ && !raise_loopback()) return "loopback";
  if (view_ && !view_->apply()) return "mounts";
  return nullptr;
}

const char* Confinement::become_user() const {
  if (!sandbox_.uid) return nullptr;
  const auto gid = static_cast<gid_t>(*sandbox_.uid);
  if (setgroups(groups_.size(), groups_.data()) != 0) return "groups";
  if (setresgid(gid, gid, gid) != 0 || setresuid(*sandbox_.uid, *sandbox_.uid, *sandbox_.uid) != 0)
    return "the user id";
  return nullptr;
}

const char* Confinement::apply() {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, static_cast<rlim_t>(sandbox_.file_bytes));
  limit(RLIMIT_NOFILE, most_descriptors);
  signal(SIGXFSZ, SIG_IGN);  // a file too large is an error, EFBIG, and no end
  put("/proc/self/oom_score_adj", first_to_go);
  // With the rights of root before they are given up; without them, a user may do as much in a namespace of
  // users.
  const char* failed = by_user_ ? nullptr : separate(false);
  if (!failed) failed = become_user();
  if (!failed && by_user_) failed = separate(true);
  if (failed) return failed;
  limit(RLIMIT_NPROC, most_processes_);  // counted in the namespace, if there is one
  if (chdir("/") != 0) return "the root folder";
  // What a worker's processes leave behind comes to the worker, where the judge finds it.
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) return "its descendants";
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "no new privileges";
  if (!give_up_capabilities()) return "capabilities";
  if (landlock_ && !landlock_->restrict_self()) return "Landlock";
  if (filter_ && !filter_->install(getpid())) return "seccomp";
  return nullptr;
}

}  // namespace podium::sandbox
