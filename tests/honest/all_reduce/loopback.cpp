// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums by sockets

// expect: right
// with: --benchmark_filter=2ranks/
// needs: sandbox
// Ranks find each other and send by TCP, as communication libraries do to begin with. Without a network of
// their own they may not.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <podium/all_reduce.hpp>

#include <vector>

namespace {
using problem::real;

int opened() {
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  if (made < 0) throw podium::Error("no socket can be opened");
  return made;
}

void all(ssize_t (*move)(int, void*, std::size_t, int), int socket, void* at, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t count = move(socket, static_cast<char*>(at) + done, bytes - done, 0);
    if (count <= 0) throw podium::Error("a rank has hung up");
    done += static_cast<std::size_t>(count);
  }
}
ssize_t send_some(int socket, void* at, std::size_t bytes, int flags) {
  return send(socket, at, bytes, flags);
}

struct Contestant {
  std::vector<int> others;  // of rank 0 all, else rank 0
  std::vector<real> received;
  std::vector<float> sums;

  explicit Contestant(const problem::Workload& workload)
      : received(static_cast<std::size_t>(workload.n)), sums(static_cast<std::size_t>(workload.n)) {
    const auto& team = workload.team;
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    const int door = opened();
    auto* const address = reinterpret_cast<sockaddr*>(&at);
    if (team.rank == 0 &&
        (bind(door, address, size) != 0 || listen(door, 16) != 0 || getsockname(door, address, &size) != 0))
      throw podium::Error("rank 0 cannot listen");
    team.from_rank_0(&at, sizeof at);
    if (team.rank > 0 && connect(door, address, size) != 0) throw podium::Error("rank 0 cannot be reached");
    for (int rank = 1; team.rank == 0 && rank < team.ranks; ++rank)
      others.push_back(accept(door, nullptr, nullptr));
    if (team.rank > 0)
      others.push_back(door);
    else
      close(door);
  }
  Contestant(const Contestant&) = delete;
  ~Contestant() {
    for (const int other : others) close(other);
  }

  void run(const problem::Arguments& args, podium::Stream) {
    const std::size_t bytes = static_cast<std::size_t>(args.n) * sizeof(real);
    if (args.team.rank > 0) {
      all(send_some, others[0], const_cast<real*>(args.x.data), bytes);
      all(recv, others[0], args.y.data, bytes);
      return;
    }
    for (std::int64_t i = 0; i < args.n; ++i)
      sums[static_cast<std::size_t>(i)] = podium::cast<float>(args.x(i));
    for (const int other : others) {
      all(recv, other, received.data(), bytes);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += podium::cast<float>(received[i]);
    }
    for (std::int64_t i = 0; i < args.n; ++i)
      args.y(i) = podium::cast<real>(sums[static_cast<std::size_t>(i)]);
    for (const int other : others) all(send_some, other, args.y.data, bytes);
  }
};
}  // namespace
