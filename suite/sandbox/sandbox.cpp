// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/base/user.hpp"
#include "suite/sandbox/confine.hpp"
#include "suite/sandbox/control_group.hpp"
#include "suite/sandbox/hold.hpp"

namespace podium::sandbox {
namespace {

struct Words {
  Means means;
  std::string_view name, effect, advice;
};

constexpr std::array<Words, all_means.size()> words = {{
    {Means::uid, "uid",
     "each worker has its own user id: it can neither inspect nor signal podium, its judge or another worker",
     "a worker runs as podium's user, with that user's rights: start podium as root"},
    {Means::seccomp, "seccomp",
     "the kernel refuses a worker networks, tracing, mounts, namespaces, keys, io_uring and leaving its "
     "group",
     "no system call is refused: use a kernel with CONFIG_SECCOMP_FILTER"},
    {Means::network, "network namespace", "a worker sees no network at all, and no abstract Unix socket",
     "only seccomp blocks networks: allow user namespaces, or start podium as root with "
     "CAP_SYS_ADMIN"},
    {Means::ipc, "IPC namespace", "System V and POSIX message queues and shared memory are a worker's own",
     "only seccomp blocks these: allow user namespaces, or start podium as root with CAP_SYS_ADMIN"},
    {Means::mounts, "mount namespace",
     "files are read-only; each worker has its own empty /tmp, /var/tmp and /dev/shm, removed when it ends",
     "a worker has one folder of its own, and /dev/shm is not private: allow user namespaces, or start "
     "podium as root with CAP_SYS_ADMIN"},
    {Means::landlock, "landlock",
     "Landlock lets a worker neither write outside its scratch nor signal others",
     "use Linux 5.13 or later with landlock among its security modules (lsm=landlock,...)"},
    {Means::processes, "hidden processes", "/proc shows a worker its own processes and no others",
     "a worker can list all processes, but not inspect them: start podium as root with "
     "CAP_SYS_ADMIN"},
    {Means::one_device, "one device", "a worker can open the GPU of its run and no other",
     "a worker can use every GPU of the machine: give podium one alone, by its container or the scheduler's "
     "limits"},
    {Means::hold, "held while parked",
     "ptrace holds a parked worker: only the signal that ends it can wake it",
     "a parked worker can wake itself; podium detects that at its next turn: allow podium ptrace "
     "(CAP_SYS_PTRACE "
     "in a container, kernel.yama.ptrace_scope at most 1)"},
    {Means::memory, "memory group",
     "the kernel limits all memory of a worker to --memory: page tables, socket buffers and files in memory, "
     "too",
     "every 100 ms podium adds up resident pages and open files in memory. It misses page tables, socket "
     "buffers and swapped pages. Let podium make control groups with a memory controller: "
     "systemd-run --scope -p Delegate=yes, with --user for an ordinary user"},
}};

const Words& words_of(Means means) { return words[static_cast<std::size_t>(means)]; }

struct Refusal {
  const char* what;  // a literal, at the same address in parent and child
  int error;
};

// A device of every machine, with which it is tried to hide one.
constexpr const char* some_device = "/dev/full";

// Tries a means as a worker would have it, with the one that it takes. Empty: it holds.
std::string tried(Means means, std::optional<uid_t> uid, std::optional<Means> beside) {
  Sandbox sandbox{.uid = means == Means::processes ? std::nullopt : uid, .means = {}};
  sandbox.means.set(means);
  if (beside) sandbox.means.set(*beside);
  if (means == Means::one_device) sandbox.hidden = {some_device};
  Confinement confinement(sandbox, "/", "");
  int report[2];
  if (pipe(report) != 0) return std::strerror(errno);
  const Descriptor reading(report[0]);
  Descriptor writing(report[1]);
  const pid_t child = fork();
  if (child == 0) {
    const char* failed = confinement.apply();
    if (!failed && sandbox.hides() && open(some_device, O_RDWR | O_CLOEXEC) >= 0) {
      failed = "a hidden device can be opened";
      errno = EEXIST;
    }
    const Refusal refusal{failed, errno};
    _exit(failed && write(writing.get(), &refusal, sizeof refusal) != sizeof refusal);
  }
  if (child < 0) return std::strerror(errno);
  writing.reset();
  Refusal refusal{};
  const bool refused = read(reading.get(), &refusal, sizeof refusal) == sizeof refusal;
  int status = 0;
  waitpid(child, &status, 0);
  if (refused) return fmt::format("{}: {}", refusal.what, std::strerror(refusal.error));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : "the attempt failed";
}

// Holds a process that a worker's user has, as parked workers are held.
std::string tried_to_hold(std::optional<uid_t> uid) {
  Sandbox sandbox{.uid = uid, .means = {}};
  Confinement confinement(sandbox, "/", "");
  const pid_t child = fork();
  if (child == 0) {
    if (confinement.apply()) _exit(1);
    for (;;) pause();
  }
  if (child < 0) return std::strerror(errno);
  constexpr std::chrono::seconds patience{10};  // others may have the processors
  errno = ETIMEDOUT;
  const bool held = Hold::of(child, patience).has_value();
  const int error = errno;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return held ? "" : fmt::format("ptrace: {}", std::strerror(error));
}

// Namespaces without privilege are a matter of several switches; the error alone says little.
std::string explained(Means means, std::string why) {
  if (geteuid() != 0 || (means != Means::network && means != Means::ipc && means != Means::mounts))
    return why;
  return why + "; this root has no CAP_SYS_ADMIN, or the container forbids it";
}

MeansSet left_out() {
  MeansSet all;
  const char* const stated = std::getenv("PODIUM_SANDBOX_WITHOUT");
  std::vector<std::string> names;
  for (const Means means : all_means) names.emplace_back(name_of(means));
  for (std::string_view rest = stated ? stated : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string name(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      throw Error(fmt::format("PODIUM_SANDBOX_WITHOUT: {}", found_one_of(name, names)));
    all.set(all_means[static_cast<std::size_t>(found - names.begin())]);
  }
  return all;
}

MeansSet held_among(const std::vector<Grant>& grants) {
  MeansSet set;
  for (const Grant& grant : grants) set.set(grant.means, grant.held);
  return set;
}

std::vector<Grant> try_all() {
  const MeansSet without = left_out();
  std::vector<Grant> all;
  std::optional<uid_t> uid;
  for (const Means means : all_means) {
    Grant grant{.means = means, .held = false, .detail = ""};
    const bool needs_mounts = means == Means::processes;
    const auto has = [&](Means other) { return all[static_cast<std::size_t>(other)].held; };
    if (without.has(means)) {
      grant.detail = "left out by PODIUM_SANDBOX_WITHOUT";
    } else if (means == Means::uid) {
      uid = worker_uid();
      grant.held = uid.has_value();
      if (!uid) grant.detail = "podium was not started as root";
    } else if (needs_mounts && !has(Means::mounts)) {
      grant.detail = "takes a mount namespace";
    } else if (means == Means::one_device && !has(Means::mounts) &&
               !(has(Means::landlock) && Landlock::hides_devices())) {
      grant.detail = "takes a mount namespace, or version 5 of Landlock";
    } else if (means == Means::processes && !may_administer()) {
      grant.detail = "takes CAP_SYS_ADMIN";
    } else if (means == Means::memory && !keeps_groups(held_among(all), has(Means::uid))) {
      grant.detail = "takes uid, a mount namespace or Landlock: a worker could leave it";
    } else if (means == Means::memory) {
      const GroupHome& home = group_home();
      grant.held = bool(home);
      grant.detail =
          home ? fmt::format("version {}, in {}", home.version(), home.path().string()) : home.obstacle();
    } else if (means == Means::landlock && landlock_version() == 0) {
      grant.detail = "this kernel has none, or it is not switched on";
    } else {
      std::optional<Means> beside;
      if (needs_mounts || means == Means::one_device)
        beside = has(Means::mounts) ? Means::mounts : Means::landlock;
      const std::string why = means == Means::hold ? tried_to_hold(uid) : tried(means, uid, beside);
      grant.held = why.empty();
      grant.detail = why.empty() ? "" : explained(means, why);
    }
    if (means == Means::landlock && grant.held) grant.detail = fmt::format("version {}", landlock_version());
    all.push_back(std::move(grant));
  }
  return all;
}

}  // namespace

std::string_view name_of(Means means) { return words_of(means).name; }
std::string_view effect_of(Means means) { return words_of(means).effect; }
std::string_view advice_on(Means means) { return words_of(means).advice; }

const std::vector<Grant>& grants() {
  static const std::vector<Grant> all = try_all();
  return all;
}

bool is_left_out(Means means) { return left_out().has(means); }

MeansSet granted() { return held_among(grants()); }

bool keeps_groups(const MeansSet& means, bool other_user) {
  return other_user || means.has(Means::mounts) || means.has(Means::landlock);
}

bool attested(const MeansSet& means) { return means.has(Means::uid) && means.has(Means::seccomp); }

std::string lacking(const std::vector<Grant>& grants) {
  std::string text;
  const auto held = [&](Means means) {
    return std::ranges::any_of(grants, [&](const Grant& g) { return g.means == means && g.held; });
  };
  const auto why = [&](Means means) {
    const auto found = std::ranges::find(grants, means, &Grant::means);
    return found == grants.end() || found->detail.empty() ? std::string("not granted") : found->detail;
  };
  const auto miss = [&](std::string_view what, Means means) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", what, why(means));
  };
  if (!held(Means::uid)) miss("a user id of the worker's own", Means::uid);
  if (!held(Means::seccomp)) miss("seccomp", Means::seccomp);
  if (!held(Means::mounts) && !held(Means::landlock))
    miss("read-only files, by a mount namespace or Landlock", Means::mounts);
  return text;
}

}  // namespace podium::sandbox
