// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sends bytes that are no message

// class: forging the result
// expect: broke protocol
// More of them than a message may have, with the right beginning.
#include "forged.hpp"
#include "honest.hpp"

#include <vector>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    give_sum(args, stream);
    std::vector<char> bytes(3 * protocol::max_message, 1);
    const protocol::Header header{};
    std::memcpy(bytes.data(), &header, sizeof header);
    send(judge_socket(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
};
}  // namespace
