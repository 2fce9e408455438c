// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/backends/lane_process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <thread>

namespace podium::test {
namespace {

constexpr std::size_t board_bytes = 2 * device::page_bytes;
static_assert(sizeof(Board) <= board_bytes);

Board* map(int file) {
  void* at = mmap(nullptr, board_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? nullptr : static_cast<Board*>(at);
}

template <class Condition>
bool within(int milliseconds, const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

int wrong_scratch(device::Lane& lane) {
  int wrong = 0;
  for (const bool pinned : {false, true}) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{257}, std::size_t{3} << 20}) {
      void* at = lane.allocate(pinned, bytes);
      wrong += !at || reinterpret_cast<std::uintptr_t>(at) % 256 != 0 || !all_zero(at, bytes, pinned);
    }
  }
  wrong += lane.allocate(false, std::size_t{1} << 50) != nullptr;
  lane.release();
  return wrong;
}

// One call; its microseconds.
double call(device::Lane& lane, Board& board, std::uint32_t ticket, std::size_t bytes, Way way) {
  const auto run = [&] { enqueue_copy(lane.stream(), lane.arena(), bytes / 2); };
  const auto armed = [&] { board.armed.store(ticket); };
  if (way == Way::whole) {
    armed();
    return lane.whole(run);
  }
  bool captured = way == Way::replayed && board.not_capturable[0] == 0;
  if ((captured && ticket == 1) || way == Way::after_a_failed_capture) try {
      lane.capture([&] {
        run();
        if (way == Way::after_a_failed_capture) throw Error("halfway");
      });
    } catch (const device::NotCapturable& e) {
      captured = false;
      std::snprintf(board.not_capturable, sizeof board.not_capturable, "%s", e.what());
    }
  return captured ? lane.gated(
                        board.page, ticket, [&] { lane.replay(); }, armed)
                  : lane.gated(board.page, ticket, run, armed);
}

}  // namespace

LaneProcess::LaneProcess(const device::Arena& arena, int calls, uid_t uid, Way way)
    : file_(memfd_create("board", 0)) {
  if (!file_ || ftruncate(file_.get(), board_bytes) != 0 || !(board_ = map(file_.get())))
    throw std::bad_alloc();
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const Descriptor program(open(self.c_str(), O_RDONLY));  // the other user may not reach it by its path
  const std::string board = std::to_string(file_.get()), bytes = std::to_string(arena.bytes()),
                    count = std::to_string(calls), manner = std::to_string(static_cast<int>(way));
  pid_ = fork();
  if (pid_ != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int passed = dup(arena.handle().descriptor);  // without close-on-exec
  const std::string memory = std::to_string(passed);
  if (uid != 0 && (setgroups(0, nullptr) != 0 || setgid(uid) != 0 || setuid(uid) != 0)) _exit(125);
  const char* arguments[] = {"lane",        "--lane",      board.c_str(),  memory.c_str(),
                             bytes.c_str(), count.c_str(), manner.c_str(), nullptr};
  fexecve(program.get(), const_cast<char**>(arguments), environ);
  _exit(126);
}

LaneProcess::~LaneProcess() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  munmap(board_, board_bytes);
}

bool LaneProcess::wait_armed(std::uint32_t ticket, int milliseconds) {
  return within(milliseconds, [&] { return board_->armed.load() == ticket; });
}

bool LaneProcess::wait_done(std::uint32_t ticket, int milliseconds) {
  return within(milliseconds, [&] { return board_->done.load() == ticket; });
}

void LaneProcess::open_gate(std::uint32_t ticket) {
  std::atomic_ref(board_->page.gate).store(ticket);
  syscall(SYS_futex, &board_->page.gate, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

int LaneProcess::exit_status() {
  if (pid_ > 0) waitpid(pid_, &status_, 0);
  pid_ = -1;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
}

int lane_main(int argc, char** argv) {
  if (argc != 7 || std::string(argv[1]) != "--lane") return -1;
  Board* board = map(std::atoi(argv[2]));
  if (!board) return 2;
  const std::size_t bytes = std::strtoull(argv[4], nullptr, 10);
  try {
    const auto lane = device::open_lane(0, board->page);
    lane->open_arena({.descriptor = std::atoi(argv[3])}, bytes);
    board->scratch_wrong = wrong_scratch(*lane);
    for (std::uint32_t ticket = 1; ticket <= static_cast<std::uint32_t>(std::atoi(argv[5])); ++ticket) {
      board->microseconds = call(*lane, *board, ticket, bytes, static_cast<Way>(std::atoi(argv[6])));
      board->done.store(ticket);
    }
  } catch (const std::exception& e) {
    std::snprintf(board->error, sizeof board->error, "%s", e.what());
    return 1;
  }
  return 0;
}

}  // namespace podium::test

int main(int argc, char** argv) {
  if (const int status = podium::test::lane_main(argc, argv); status >= 0) return status;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
