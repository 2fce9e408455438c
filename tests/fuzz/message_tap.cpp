// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Recorded conversations: preloaded into podium, and so into its judge, this library writes down every
// message that the judge gets and podium hears, in the form of conversation.hpp.
//
//   LD_PRELOAD=libmessage_tap.so PODIUM_TAP=FILE podium verify ...
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

constexpr std::uint16_t first_of_workers = 64;  // protocol.hpp, Type

bool is_judge() {
  std::array<char, 256> name{};
  const auto got = readlink("/proc/self/exe", name.data(), name.size());
  return std::string_view(name.data(), static_cast<std::size_t>(std::max<ssize_t>(0, got))).find("judge") !=
         std::string_view::npos;
}

void write_down(const char* bytes, std::size_t size) {
  const char* file = std::getenv("PODIUM_TAP");
  std::uint16_t type;
  std::memcpy(&type, bytes + 6, sizeof type);
  const char from = !is_judge() ? 'J' : type >= first_of_workers ? 'W' : 'P';
  std::array<char, 3 + 4096> record;
  record[0] = from;
  record[1] = static_cast<char>(size & 0xFF);
  record[2] = static_cast<char>(size >> 8);
  std::memcpy(record.data() + 3, bytes, size);
  const int to = file ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  if (to < 0 || write(to, record.data(), 3 + size) < 0) std::abort();  // one write: processes take turns
  close(to);
}

}  // namespace

extern "C" ssize_t recvmsg(int socket, msghdr* message, int flags) {
  static const auto real = reinterpret_cast<ssize_t (*)(int, msghdr*, int)>(dlsym(RTLD_NEXT, "recvmsg"));
  const ssize_t got = real(socket, message, flags);
  if (got >= 16 && got <= 4096 && std::memcmp(message->msg_iov[0].iov_base, "ODIM", 4) == 0)
    write_down(static_cast<const char*>(message->msg_iov[0].iov_base), static_cast<std::size_t>(got));
  return got;
}
