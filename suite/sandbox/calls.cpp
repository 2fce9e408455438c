// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/calls.hpp"

#include <fmt/format.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"

namespace podium::sandbox {
namespace {

constexpr const char* leaves = "podium stops and ends a worker's processes by their process group";
constexpr const char* traces = "it reaches it reaches memory and descriptors of another process";
constexpr const char* mounts = "it changes the worker's view of files";
constexpr const char* keys = "keys outlive the process and are shared by a user's processes";
constexpr const char* rings = "its kernel threads bypass this filter and run while the process is stopped";
constexpr const char* late = "the kernel writes into the process's memory while the process is stopped";
constexpr const char* remains = "it outlives the process and reaches unrelated processes";

// Stands in the filter for the worker's process id, which is known only after the fork.
constexpr std::uint32_t self_mark = 0x3ad70517;

// The flags of clone and unshare that make a namespace.
constexpr std::uint64_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | 0x80 /* CLONE_NEWTIME */;

class Building {
 public:
  Building() : filter_(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release) {
    if (!filter_) throw Error("libseccomp failed to allocate a filter");
    expect("bad architecture",
           seccomp_attr_set(filter_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)));
    // A binary tree: a call that is allowed costs some comparisons, not one for each rule. The kernel's own
    // table (Linux 5.11) asks nothing of the calls that no rule names, ioctl and futex among them.
    expect("optimisation", seccomp_attr_set(filter_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2));
  }

  void refuse(const char* call, int error = EPERM) { add(call, error, {}); }
  void refuse(const char* call, scmp_arg_cmp when) { add(call, EPERM, when); }

  std::vector<sock_filter> program() const {
    const Descriptor file(memfd_create("podium-filter", MFD_CLOEXEC));
    expect("export", seccomp_export_bpf(filter_.get(), file.get()));
    const off_t bytes = lseek(file.get(), 0, SEEK_END);
    std::vector<sock_filter> all(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
    if (all.empty() || pread(file.get(), all.data(), static_cast<std::size_t>(bytes), 0) != bytes)
      throw Error("libseccomp's filter cannot be read back");
    return all;
  }

 private:
  void add(const char* call, int error, std::optional<scmp_arg_cmp> when) {
    const int number = seccomp_syscall_resolve_name(call);
    if (number == __NR_SCMP_ERROR) return;  // this libseccomp does not know it: nor may the kernel have it
    const auto action = SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error));
    expect(call, when ? seccomp_rule_add_array(filter_.get(), action, number, 1, &*when)
                      : seccomp_rule_add_array(filter_.get(), action, number, 0, nullptr));
  }

  static void expect(const char* what, int result) {
    if (result < 0)
      throw Error(fmt::format("libseccomp refuses the rule on {}: {}", what, std::strerror(-result)));
  }

  std::unique_ptr<void, decltype(&seccomp_release)> filter_;
};

}  // namespace

const std::vector<CallFilter::Rule>& CallFilter::rules() {
  static const std::vector<Rule> all = {
      {"setsid", leaves},
      {"setpgid", leaves},
      {"ptrace", traces},
      {"process_vm_readv", traces},
      {"process_vm_writev", traces},
      {"process_madvise", traces},
      {"pidfd_getfd", traces},
      {"kcmp", traces},
      {"mount", mounts},
      {"umount2", mounts},
      {"pivot_root", mounts},
      {"chroot", mounts},
      {"move_mount", mounts},
      {"open_tree", mounts},
      {"fsopen", mounts},
      {"fsmount", mounts},
      {"fspick", mounts},
      {"mount_setattr", mounts},
      {"unshare", "a new namespace grants rights that the worker lacks"},
      {"setns", "another process's namespace"},
      {"add_key", keys},
      {"request_key", keys},
      {"keyctl", keys},
      {"bpf", "programs in the kernel see every process"},
      {"perf_event_open", "counters reveal when the judge does what"},
      {"userfaultfd", "it blocks everyone who touches its memory, the kernel included"},
      {"io_uring_setup", rings},
      {"io_uring_enter", rings},
      {"io_uring_register", rings},
      {"io_setup", late},
      {"io_submit", late},
      {"shmget", remains},
      {"shmat", remains},
      {"semget", remains},
      {"msgget", remains},
      // By number alone, of what another program of the machine has left open to all.
      {"semop", remains},
      {"semtimedop", remains},
      {"msgsnd", remains},
      {"msgrcv", remains},
      {"mq_open", remains},
  };
  return all;
}

CallFilter::CallFilter(bool only_itself, bool loopback) {
  Building building;
  for (const Rule& rule : rules()) building.refuse(rule.call);
  // Networks, and the kernel's other families (AF_VSOCK, AF_ALG, AF_NETLINK): only Unix sockets are left.
  for (const char* call : {"socket", "socketpair"}) {
    if (!loopback) {
      building.refuse(call, SCMP_CMP(0, SCMP_CMP_NE, AF_UNIX));
      continue;
    }
    for (std::uint64_t family = 0; family < AF_NETLINK; ++family)
      if (family != AF_UNIX && family != AF_INET && family != AF_INET6)
        building.refuse(call, SCMP_CMP(0, SCMP_CMP_EQ, family));
    building.refuse(call, SCMP_CMP(0, SCMP_CMP_GT, AF_NETLINK));
  }
  for (std::uint64_t flag = 1; flag != 0 && flag <= namespaces; flag <<= 1)
    if (flag & namespaces) building.refuse("clone", SCMP_CMP(0, SCMP_CMP_MASKED_EQ, flag, flag));
  building.refuse("clone3", ENOSYS);
  // Processes that are not among the worker's descendants: the judge would not see them.
  building.refuse("clone", SCMP_CMP(0, SCMP_CMP_MASKED_EQ, CLONE_PARENT, CLONE_PARENT));
  building.refuse("prctl", SCMP_CMP(0, SCMP_CMP_EQ, PR_SET_CHILD_SUBREAPER));
  // Limits of another process of the same user; 0 is the caller.
  building.refuse("prlimit64", SCMP_CMP(0, SCMP_CMP_NE, 0));
  if (only_itself) {
    for (const char* call : {"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"})
      building.refuse(call, SCMP_CMP(0, SCMP_CMP_NE, self_mark));
    for (const char* call : {"tkill", "pidfd_send_signal"}) building.refuse(call);
  }
  program_ = building.program();
}

bool CallFilter::install(pid_t self) {
  for (sock_filter& instruction : program_)
    if (BPF_CLASS(instruction.code) == BPF_JMP && instruction.k == self_mark)
      instruction.k = static_cast<std::uint32_t>(self);
  const sock_fprog filter{.len = static_cast<unsigned short>(program_.size()), .filter = program_.data()};
  // Kernels before 5.16 make every process with a filter slower against speculative reads, unless told not
  // to: the times would no longer be the contestant's.
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) == 0)
    return true;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace podium::sandbox
