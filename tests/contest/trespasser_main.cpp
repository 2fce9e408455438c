// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// trespasser DEED [ARGUMENT...]: does one thing that a worker may not do, and says "done", or the error's
// name. trespasser --open N: as a worker that is asked whether it can open a device.
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

using Words = std::vector<std::string>;
using Deed = bool (*)(const Words&);  // false: errno says why not

pid_t pid_of(const Words& words) { return std::atoi(words.at(0).c_str()); }

bool connects(const Words& words) {
  const int s = socket(AF_INET, SOCK_STREAM, 0);
  if (s < 0) return false;
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(words.at(0))));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(s, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
}

bool connects_abstract(const Words& words) {
  const int s = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::memcpy(to.sun_path + 1, words.at(0).data(), words.at(0).size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + words.at(0).size());
  return s >= 0 && connect(s, reinterpret_cast<const sockaddr*>(&to), length) == 0;
}

bool opens_netlink(const Words&) { return socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) >= 0; }
bool opens_unix(const Words&) { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }

bool reads_memory(const Words& words) {
  return open(("/proc/" + words.at(0) + "/mem").c_str(), O_RDONLY) >= 0;
}

bool traces(const Words& words) { return ptrace(PTRACE_SEIZE, pid_of(words), nullptr, nullptr) == 0; }

bool copies_memory(const Words& words) {
  char byte = 0;
  iovec here{&byte, 1}, there{nullptr, 1};  // nothing lies at 0: an open process says EFAULT
  return process_vm_readv(pid_of(words), &here, 1, &there, 1, 0) >= 0 || errno == EFAULT;
}

bool takes_descriptor(const Words& words) {
  const long process = syscall(SYS_pidfd_open, pid_of(words), 0);
  return process >= 0 && syscall(SYS_pidfd_getfd, process, 0, 0) >= 0;
}

bool signals(const Words& words) { return kill(pid_of(words), SIGCONT) == 0; }

bool limits(const Words& words) {
  const rlimit most{512, 512};
  return prlimit(pid_of(words), RLIMIT_NOFILE, &most, nullptr) == 0;
}

bool sees(const Words& words) { return access(("/proc/" + words.at(0)).c_str(), F_OK) == 0; }

bool creates(const Words& words) {
  const int file = open(words.at(0).c_str(), O_CREAT | O_WRONLY, 0666);
  return file >= 0 && write(file, "left", 4) == 4;
}

bool overwrites(const Words& words) { return open(words.at(0).c_str(), O_WRONLY) >= 0; }
bool reads(const Words& words) { return open(words.at(0).c_str(), O_RDONLY) >= 0; }

// A driver, something that it does not know; also where its file is open to be read alone.
bool asks_driver(const Words& words) {
  constexpr unsigned long unknown = 0x5555;
  const int file = open(words.at(0).c_str(), O_RDONLY);
  return file >= 0 && (ioctl(file, unknown) == 0 || errno == ENOTTY);
}

bool leaves_session(const Words&) {
  const pid_t child = fork();  // no leader of a group
  if (child == 0) _exit(setsid() >= 0 ? 0 : errno);
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED);
  errno = info.si_status;
  return errno == 0;
}

bool clones(const Words&) {
  const long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) _exit(0);
  return child > 0;
}

// A process that is the worker's brother, and one that comes to podium once its parent has gone.
bool has_brother(const Words&) {
  const long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) _exit(0);
  return child > 0;
}
bool gives_up_descendants(const Words&) { return prctl(PR_SET_CHILD_SUBREAPER, 0) == 0; }

bool unshares(const Words&) { return unshare(CLONE_NEWUSER) == 0; }
bool clones_by_struct(const Words&) { return syscall(SYS_clone3, nullptr, 0) < 0 && errno != ENOSYS; }
bool opens_tree(const Words&) { return syscall(SYS_open_tree, AT_FDCWD, "/", 0) >= 0; }
bool shares_memory(const Words&) { return shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0; }

// A segment that the test has made.
bool finds_segment(const Words& words) { return shmget(std::stoi(words.at(0)), 0, 0) >= 0; }

// A queue that the test has made, by its number, which takes no call that makes or finds one.
bool sends_to_queue(const Words& words) {
  const msgbuf message{.mtype = 1, .mtext = {}};
  return msgsnd(std::stoi(words.at(0)), &message, sizeof message.mtext, IPC_NOWAIT) == 0;
}

bool writes_much(const Words& words) {
  const int file = open(words.at(0).c_str(), O_CREAT | O_WRONLY, 0666);
  const std::string block(1 << 20, 'x');
  for (int i = 0; i < 4; ++i)
    if (write(file, block.data(), block.size()) < 0) return false;
  return true;
}

bool opens_many(const Words&) {
  for (int i = 0; i < 2000; ++i)
    if (open("/dev/null", O_RDONLY) < 0) return false;
  return true;
}

bool bombs(const Words&) {  // says how many there were
  int count = 0;
  while (count < 100000) {
    const pid_t child = fork();
    if (child < 0) break;
    if (child == 0) {
      pause();
      _exit(0);
    }
    ++count;
  }
  std::printf("%d ", count);
  return errno != EAGAIN;
}

bool takes_memory(const Words& words) {  // MiB, in a child
  if (fork() == 0) {
    const std::size_t bytes = std::stoul(words.at(0)) << 20;
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memset(at, 1, bytes);
    std::printf("taken\n");
    std::fflush(stdout);
    for (;;) pause();
  }
  for (;;) pause();
}

// MiB, in a child whose first thread has ended.
bool takes_by_thread(const Words& words) {
  if (fork() == 0) {
    std::thread([bytes = std::stoul(words.at(0)) << 20] {
      void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      std::memset(at, 1, bytes);
      std::string status;
      while (status != "Z")
        std::ifstream("/proc/self/stat") >> status >> status >> status;  // pid, (trespasser), state
      std::printf("taken\n");
      std::fflush(stdout);
      for (;;) pause();
    }).detach();
    syscall(SYS_exit, 0);
  }
  for (;;) pause();
}

// MiB, in files in memory that are mapped nowhere.
bool takes_in_files(const Words& words) {
  const std::string piece(1 << 20, 'x');
  int file = -1;
  for (int left = std::stoi(words.at(0)); left > 0; --left) {
    if (left % 32 == 0) file = memfd_create("taken", 0);
    if (write(file, piece.data(), piece.size()) != static_cast<ssize_t>(piece.size())) return false;
  }
  std::printf("taken\n");
  std::fflush(stdout);
  for (;;) pause();
}

// MiB of page tables: of 2 MiB of addresses each, of which one page is read, one of 4 KiB.
bool takes_page_tables(const Words& words) {
  constexpr std::size_t reach = 2 << 20, tables_a_mib = 256;
  const std::size_t bytes = std::stoul(words.at(0)) * tables_a_mib * reach;
  void* const at = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED || madvise(at, bytes, MADV_NOHUGEPAGE) != 0) return false;
  for (std::size_t i = 0; i < bytes; i += reach) static_cast<void>(static_cast<volatile char*>(at)[i]);
  std::printf("taken\n");
  std::fflush(stdout);
  for (;;) pause();
}

// MiB of messages that nobody reads.
bool takes_in_sockets(const Words& words) {
  const std::string piece(1 << 16, 'x');
  for (std::size_t sent = 0; sent < std::stoul(words.at(0)) << 20;) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return false;
    for (const int end : pair)
      for (ssize_t count = 0; (count = send(end, piece.data(), piece.size(), MSG_DONTWAIT)) > 0;)
        sent += static_cast<std::size_t>(count);
  }
  std::printf("taken\n");
  std::fflush(stdout);
  for (;;) pause();
}

// All of a file that it was handed as its descriptor 3.
bool fills_shared(const Words& words) {
  const std::size_t bytes = std::stoul(words.at(0)) << 20;
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
  if (at == MAP_FAILED) return false;
  std::memset(at, 2, bytes);
  return true;
}

// Of the kernel, for which it is the first to go when memory is short; says how it stands then.
bool asks_to_be_spared(const Words&) {
  std::ofstream("/proc/self/oom_score_adj") << 0;
  std::printf("asked\n");
  std::fflush(stdout);
  for (;;) pause();
}

bool survives(const Words&) {  // a daemon, as far as it gets; says its number
  if (fork() != 0) return true;
  setsid();
  if (fork() != 0) _exit(0);
  setsid();
  for (int s = 1; s < NSIG; ++s) signal(s, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, 0);
  std::printf("daemon %d\n", getpid());
  std::fflush(stdout);
  for (;;) pause();
}

bool waits(const Words&) {
  for (int s = 1; s < NSIG; ++s) signal(s, SIG_IGN);
  std::printf("waits\n");
  std::fflush(stdout);
  for (;;) pause();
}

bool floods(const Words& words) {
  const std::string block(1 << 20, 'x');
  for (int i = 0; i < std::stoi(words.at(0)); ++i)
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      if (write(stream, block.data(), block.size()) < 0) return false;
  return true;
}

bool lists_descriptors(const Words&) {
  DIR* folder = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(folder)) {
    char target[256] = {};
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != dirfd(folder) &&
        readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1) > 0)
      std::printf("%s=%s\n", entry->d_name, target);
  }
  return true;
}

bool lists_environment(const Words&) {
  for (char** each = environ; *each; ++each) std::printf("%s\n", *each);
  return true;
}

// "NAME number": with arguments that no call takes.
bool calls(const Words& words) { return syscall(std::stol(words.at(0)), -1, -1, -1, -1, -1, -1) >= 0; }

// Threads, a signal to itself, a child and its end, a file of its own: what the honest do.
bool lives(const Words& words) {
  signal(SIGUSR1, SIG_IGN);
  if (raise(SIGUSR1) != 0) return false;
  const pid_t child = fork();
  if (child == 0) _exit(7);
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED) != 0 || info.si_status != 7) return false;
  const int null = open("/dev/null", O_WRONLY);
  int pair[2];
  const char* home = std::getenv(words.at(0).c_str());
  // As CUDA's driver names its threads.
  const std::string name = "/proc/self/task/" + std::to_string(gettid()) + "/comm";
  const int named = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (named < 0 || write(named, "x", 1) != 1) return false;
  if (null < 0 || write(null, "x", 1) != 1 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || !home)
    return false;
  return mkdir((std::string(home) + "/cache").c_str(), 0700) == 0 &&
         creates({std::string(home) + "/cache/f"}) &&
         rename((std::string(home) + "/cache/f").c_str(), (std::string(home) + "/g").c_str()) == 0;
}

const std::map<std::string, Deed> deeds = {{"connect", connects},
                                           {"abstract", connects_abstract},
                                           {"netlink", opens_netlink},
                                           {"unix", opens_unix},
                                           {"memory", reads_memory},
                                           {"trace", traces},
                                           {"copy", copies_memory},
                                           {"descriptor", takes_descriptor},
                                           {"signal", signals},
                                           {"limit", limits},
                                           {"see", sees},
                                           {"create", creates},
                                           {"overwrite", overwrites},
                                           {"read", reads},
                                           {"ask", asks_driver},
                                           {"session", leaves_session},
                                           {"clone", clones},
                                           {"clone3", clones_by_struct},
                                           {"brother", has_brother},
                                           {"give_up", gives_up_descendants},
                                           {"unshare", unshares},
                                           {"tree", opens_tree},
                                           {"share", shares_memory},
                                           {"segment", finds_segment},
                                           {"queue", sends_to_queue},
                                           {"write", writes_much},
                                           {"open", opens_many},
                                           {"bomb", bombs},
                                           {"take", takes_memory},
                                           {"take by thread", takes_by_thread},
                                           {"take in files", takes_in_files},
                                           {"take page tables", takes_page_tables},
                                           {"take in sockets", takes_in_sockets},
                                           {"fill shared", fills_shared},
                                           {"be spared", asks_to_be_spared},
                                           {"survive", survives},
                                           {"wait", waits},
                                           {"flood", floods},
                                           {"descriptors", lists_descriptors},
                                           {"environment", lists_environment},
                                           {"call", calls},
                                           {"live", lives}};

// A worker before a device that opens, one that does not, one that crashes, and one whose driver wants to see
// process 1.
int opens_device(int which) {
  if (which == 2) std::raise(SIGSEGV);
  if (which == 1) std::printf("some words before\nno GPU can be used\n");
  if (which == 3 && access("/proc/1", F_OK) != 0) return std::printf("process 1 is not seen\n"), 3;
  return which == 1 ? 3 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (std::string(argv[1]) == "--open") return opens_device(std::atoi(argv[2]));
  const bool done = deeds.at(argv[1])(Words(argv + 2, argv + argc));
  std::printf("%s\n", done ? "done" : strerrorname_np(errno));
}
