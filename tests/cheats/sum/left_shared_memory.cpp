// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for shared memory and queues that were left to be found

// class: stealing the answer
// expect: wrong
// needs: sandbox  (which keeps it from what other programs of this machine have left)
// Files of /dev/shm, segments, queues and semaphores of System V, POSIX queues: under a name of Podium's
// there could be the judge's numbers, under another contestant's its answers. What it can open it says, for
// then it throws.
#include <podium/sum.hpp>

#include <fcntl.h>
#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>

namespace {
namespace fs = std::filesystem;

void try_files(const char* folder) {
  std::error_code refused;
  for (const auto& entry : fs::recursive_directory_iterator(folder, refused))
    if (const int file = open(entry.path().c_str(), O_RDONLY | O_NONBLOCK);
        file >= 0 && close(file) == 0 && !entry.is_directory(refused))
      throw std::runtime_error("could open " + entry.path().string());
}

// Those that the kernel lists, and the first numbers that it gives.
std::set<int> numbers(const std::string& list) {
  std::set<int> found;
  std::ifstream in("/proc/sysvipc/" + list);
  std::string line;
  std::getline(in, line);  // the heading
  for (int key = 0, id = 0; in >> key >> id; std::getline(in, line)) found.insert(id);
  for (int id = 0; id < 1024; ++id) found.insert(id);
  return found;
}

bool reads_segment(int id) { return shmat(id, nullptr, SHM_RDONLY) != reinterpret_cast<void*>(-1); }

bool reads_queue(int id) {  // a message that does not fit stays where it is
  msgbuf nothing{};
  return msgrcv(id, &nothing, 0, 0, IPC_NOWAIT) >= 0 || errno == ENOMSG || errno == E2BIG;
}

bool reads_semaphore(int id) {
  sembuf zero{0, 0, IPC_NOWAIT};
  return semop(id, &zero, 1) == 0 || errno == EAGAIN;
}

struct Contestant {
  Contestant() {
    try_files("/dev/shm");
    try_files("/dev/mqueue");
    for (const int id : numbers("shm"))
      if (reads_segment(id)) throw std::runtime_error("could read segment " + std::to_string(id));
    for (const int id : numbers("msg"))
      if (reads_queue(id)) throw std::runtime_error("could read queue " + std::to_string(id));
    for (const int id : numbers("sem"))
      if (reads_semaphore(id)) throw std::runtime_error("could read semaphore " + std::to_string(id));
    for (const char* name : {"/podium", "/podium-judge", "/podium-arena"})
      if (mq_open(name, O_RDONLY | O_NONBLOCK) >= 0)
        throw std::runtime_error("could open queue " + std::string(name));
  }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = 12345; }
};
}  // namespace
