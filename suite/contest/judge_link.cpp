// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/judge_link.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "suite/base/interrupt.hpp"
#include "suite/contest/reference_process.hpp"

namespace podium::contest {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds between_checks{100};  // at the worker, and for a signal
constexpr seconds judge_after_kill{20};      // a device may take its time to get rid of a dead process's work

}  // namespace

Descriptor opened(const std::filesystem::path& file) {
  Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor) throw Error(fmt::format("{} cannot be read: {}", file.string(), std::strerror(errno)));
  return descriptor;
}

JudgeLink::JudgeLink(const std::filesystem::path& program, const std::vector<std::string>& environment,
                     Supervision supervision)
    : supervision_(std::move(supervision)) {
  auto [mine, theirs] = protocol::socket_pair();
  judge_ = sandbox::Child({.program = program,
                           .arguments = {"--socket", "3"},
                           .descriptors = {theirs.get()},
                           .environment = environment,
                           .output = -1,
                           .sandbox = {}});
  theirs.reset();
  channel_ = protocol::Channel(std::move(mine));
}

JudgeLink::JudgeLink(protocol::Channel judge, Supervision supervision)
    : channel_(std::move(judge)), supervision_(std::move(supervision)) {}

// All that a session is asked for passes here: a signal that podium was told to end by ends the judge, and
// nobody is blamed for what the same signal did to a worker.
void JudgeLink::end_if_interrupted() {
  const auto signal = interruption();
  if (signal.empty()) return;
  judge_.end();
  throw Error(fmt::format("ended by {}", signal), Fault::interruption);
}

void JudgeLink::give_up(const std::string& why, std::optional<sandbox::End> end) {
  end_if_interrupted();
  judge_.end();
  throw DeviceLost(has_device_ ? why + ": the device may be lost" : why, end);
}

void JudgeLink::ended() {
  const auto end = judge_.ended(death_notice);
  give_up(fmt::format("the judge {}", end ? words_of(*end) : "closed its channel"), end);
}

void JudgeLink::refuse(const protocol::Refused& refused) {
  const std::string text = protocol::get(refused.text);
  if (refused.fault == Fault::input) fault_of_problem(text);
  throw Error(text, refused.fault == Fault::contestant ? Fault::contestant : Fault::device);
}

void JudgeLink::fault_of_problem(const std::string& text) {
  throw ProblemFault(reference_ ? text + reference_->how_it_ended() : text);
}

double JudgeLink::time_in(double number) {
  if (!std::isfinite(number) || number < 0)
    give_up(fmt::format(
        "the judge broke the protocol: its answer says {}, expected a finite number from 0 on", number));
  return number;
}

double JudgeLink::error_in(double number) {
  if (!(number >= 0))
    give_up(fmt::format(
        "the judge broke the protocol: its answer has an error of {}, expected a number from 0 on", number));
  return number;
}

std::int64_t JudgeLink::count_in(std::int64_t number) {
  constexpr std::int64_t most = std::int64_t{1} << 48;  // no answer is about as much, and their sums are held
  if (number < 0 || number > most)
    give_up(fmt::format("the judge broke the protocol: its answer counts {}, expected a number from 0 to {}",
                        number, most));
  return number;
}

// A worker that lets its time pass, or takes too much memory, is ended, upon which the judge answers that it
// is gone; a judge that does not answer is ended, too.
protocol::Packet JudgeLink::wait(milliseconds patience) {
  auto left = patience;
  bool worker_ended = false;
  auto referred = reference_ ? reference_->asked() : milliseconds(0);
  for (;;) {
    end_if_interrupted();
    const auto slice = std::min(left, between_checks);
    auto packet = kept_in_protocol([&] { return channel_.receive(static_cast<int>(slice.count())); });
    if (packet) {
      end_if_interrupted();
      supervision_.look();  // what it finds the next request will tell
      return std::move(*packet);
    }
    left -= slice;
    if (reference_) {
      reference_->look();
      left += std::min(slice, reference_->asked() - std::exchange(referred, reference_->asked()));
    }
    if (supervision_.look() || (left.count() <= 0 && supervision_.time_out())) {
      worker_ended = true;
      left = judge_after_kill;
    }
    if (left.count() > 0) continue;
    give_up(
        fmt::format("the judge did not answer in {} s and was ended",
                    std::chrono::duration_cast<seconds>(worker_ended ? judge_after_kill : patience).count()));
  }
}

}  // namespace podium::contest
