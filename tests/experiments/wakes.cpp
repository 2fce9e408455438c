// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the parts of a sample's wait cost on this machine at the least: the same system calls as the judge and
// a worker make on the CPU, between two processes that do nothing else. Of one that takes part in a sample
// Podium asks no less: it stands still while its inputs are written, sleeps at its gate, and the judge sleeps
// until it hears, for both share the processors.
//
//   g++ -std=c++20 -O2 tests/experiments/wakes.cpp -o /tmp/wakes && /tmp/wakes
//
// Medians of `samples`, in microseconds: as it is, after 64 MiB were written, and that with both processes on
// one processor.
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int samples = 200;
constexpr std::size_t flushed = std::size_t{64} << 20;  // bytes

using clock_type = std::chrono::steady_clock;
double since(clock_type::time_point start) {
  return std::chrono::duration<double, std::micro>(clock_type::now() - start).count();
}

void must(bool well, const char* what) {
  if (well) return;
  std::perror(what);
  std::exit(1);
}

struct Shared {
  std::uint32_t gate = 0;
  double passed = 0;  // microseconds from the opening to the other side of the gate
  clock_type::time_point opened;
};

void stay_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  must(sched_setaffinity(0, sizeof set, &set) == 0, "sched_setaffinity");
}

// As the worker: hears of a ticket, answers that it has armed, sleeps at the gate, says that it is done.
[[noreturn]] void work(int socket, Shared& shared) {
  for (std::uint32_t ticket; recv(socket, &ticket, sizeof ticket, 0) == sizeof ticket;) {
    must(send(socket, &ticket, sizeof ticket, 0) == sizeof ticket, "send");
    const std::atomic_ref gate(shared.gate);
    for (std::uint32_t seen; (seen = gate.load()) != ticket;)
      syscall(SYS_futex, &shared.gate, FUTEX_WAIT, seen, nullptr, nullptr, 0);
    shared.passed = since(shared.opened);
    must(send(socket, &ticket, sizeof ticket, 0) == sizeof ticket, "send");
  }
  _exit(0);
}

struct Sample {
  double empty = 0, arming = 0, stop = 0, look = 0, passing = 0, waking = 0;
};
struct Part {
  const char* name;
  double Sample::* at;
};
constexpr Part parts[] = {{"a system call that does nothing", &Sample::empty},
                          {"told to arm, until it has said so", &Sample::arming},
                          {"SIGSTOP sent", &Sample::stop},
                          {"its state looked at, once", &Sample::look},
                          {"SIGCONT sent, until it is past its gate", &Sample::passing},
                          {"SIGCONT sent, until it is heard", &Sample::waking}};

class WakeBench {
 public:
  explicit WakeBench(bool together) {
    int ends[2];
    must(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "socketpair");
    shared_ = static_cast<Shared*>(
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    must(shared_ != MAP_FAILED, "mmap");
    if (together) stay_on(0);
    pid_ = fork();
    must(pid_ >= 0, "fork");
    if (pid_ == 0) {
      setpgid(0, 0);
      close(ends[0]);
      work(ends[1], *shared_);
    }
    setpgid(pid_, pid_);
    close(ends[1]);
    socket_ = ends[0];
    const std::string id = std::to_string(pid_);
    state_ = open(("/proc/" + id + "/task/" + id + "/stat").c_str(), O_RDONLY);
    must(state_ >= 0, "/proc/PID/task/PID/stat");
  }
  WakeBench(const WakeBench&) = delete;
  WakeBench& operator=(const WakeBench&) = delete;
  ~WakeBench() {
    close(socket_);
    close(state_);
    waitpid(pid_, nullptr, 0);
  }

  Sample sample(std::uint32_t ticket, std::vector<char>& memory) {
    Sample s;
    auto start = clock_type::now();
    if (!memory.empty()) flush(memory, ticket);
    start = clock_type::now();
    syscall(SYS_getppid);
    s.empty = since(start);
    start = clock_type::now();
    must(send(socket_, &ticket, sizeof ticket, 0) == sizeof ticket, "send");
    await_reply(ticket);
    s.arming = since(start);
    if (!memory.empty()) flush(memory, ticket);
    start = clock_type::now();
    kill(-pid_, SIGSTOP);
    s.stop = since(start);
    for (bool rests = false; !rests;) {
      usleep(100);  // long enough: a call's inputs are drawn meanwhile
      if (!memory.empty()) flush(memory, ticket);
      start = clock_type::now();
      char text[512];
      const ssize_t got = pread(state_, text, sizeof text - 1, 0);
      s.look = since(start);
      must(got > 0, "pread");
      text[got] = 0;
      rests = std::strrchr(text, ')')[2] == 'T';
    }
    if (!memory.empty()) flush(memory, ticket);
    shared_->opened = start = clock_type::now();
    std::atomic_ref(shared_->gate).store(ticket);
    kill(-pid_, SIGCONT);
    await_reply(ticket);
    s.waking = since(start);
    s.passing = shared_->passed;
    return s;
  }

 private:
  static void flush(std::vector<char>& memory, std::uint32_t value) {
    std::memset(memory.data(), static_cast<int>(value), memory.size());
    asm volatile("" ::"r"(memory.data()) : "memory");
  }
  void await_reply(std::uint32_t ticket) {
    std::uint32_t reply = 0;
    must(recv(socket_, &reply, sizeof reply, 0) == sizeof reply && reply == ticket, "recv");
  }

  pid_t pid_ = 0;
  int socket_ = -1, state_ = -1;
  Shared* shared_ = nullptr;
};

std::vector<Sample> all(bool after_writing, bool together) {
  std::vector<char> memory(after_writing ? flushed : 0);
  WakeBench bench(together);
  std::vector<Sample> result;
  for (std::uint32_t ticket = 1; ticket <= samples; ++ticket) result.push_back(bench.sample(ticket, memory));
  return result;
}

double median(std::vector<Sample>& of, double Sample::* part) {
  std::ranges::nth_element(of, of.begin() + samples / 2, {}, part);
  return of[samples / 2].*part;
}

}  // namespace

int main() {
  auto plain = all(false, false), written = all(true, false), together = all(true, true);
  std::printf("%-42s %8s %14s %14s\n", "µs", "as it is", "after 64 MiB", "one processor");
  for (const auto& [name, at] : parts)
    std::printf("%-42s %8.1f %14.1f %14.1f\n", name, median(plain, at), median(written, at),
                median(together, at));
}
