// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "suite/base/interrupt.hpp"
#include "suite/base/pressure.hpp"
#include "suite/base/user.hpp"
#include "suite/contest/session_requests.hpp"
#include "suite/contest/stopwatch.hpp"
#include "suite/device/emulated.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::contest {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds judge_after_kill{20};   // a device may take its time to get rid of a dead process's work
constexpr seconds longest_rehearsal{60};  // of one workload

std::int64_t default_memory_limit() {
  struct sysinfo info{};
  sysinfo(&info);
  return static_cast<std::int64_t>(info.totalram) * info.mem_unit / 4 * 3;
}

// Whether an instance may have failed since memory was short: a constructor's exception and a device's error
// say it in many ways, and so does a judge that found no room for its own.
bool may_lack_memory(const protocol::Packet& packet) {
  if (packet.type() != protocol::Type::refused || packet.size != sizeof(protocol::Refused)) return false;
  const auto verdict = packet.as<protocol::Refused>().verdict;
  return verdict == Verdict::threw || verdict == Verdict::device_error || verdict == Verdict::out_of_memory ||
         verdict == Verdict::none;
}

}  // namespace

Verdict of_judge(Verdict said) {
  const bool sayable = said >= Verdict::right && said <= Verdict::out_of_memory && said != Verdict::none;
  return sayable ? said : Verdict::broke_protocol;
}

namespace {

// Of a worker that ended by itself, or did something that looks so.
Failure failure_of(const std::optional<sandbox::End>& end) {
  if (!end) return {Verdict::crashed, "closed its channel"};
  if (const auto* exited = std::get_if<sandbox::Exited>(&*end))
    return {Verdict::exited, fmt::format("with status {}", exited->status)};
  return {Verdict::crashed, name_of(std::get<sandbox::Killed>(*end))};
}

// What a contestant says, fit for a row.
std::string plain(const std::string& words) { return yaml::excerpt(words, protocol::max_text); }

}  // namespace

std::string last_words(int output) {
  char text[2048];
  const off_t end = lseek(output, 0, SEEK_END);
  const ssize_t got =
      pread(output, text, sizeof text, std::max<off_t>(0, end - static_cast<off_t>(sizeof text)));
  std::string words(text, static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  while (!words.empty() && std::isspace(static_cast<unsigned char>(words.back()))) words.pop_back();
  if (const auto line = words.find_last_of('\n'); line != std::string::npos) words.erase(0, line + 1);
  return plain(words);
}

Executables executables(const std::string& backend) {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  Executables found{.judge = here / ("podium-judge-" + backend),
                    .worker = here / ("podium-worker-" + backend)};
  for (const auto& file : {found.judge, found.worker})
    if (!std::filesystem::exists(file))
      throw Error(
          fmt::format("this Podium was built without the {} backend ({} is not there); build it with "
                      "`cmake --workflow --preset {}`",
                      backend, file.string(), backend.substr(0, backend.find('-'))));
  return found;
}

Session::Session(Executables executables, int ordinal, Limits limits)
    : executables_(std::move(executables)), limits_(std::move(limits)) {
  const Stopwatch watch(spent_.starts);
  prctl(PR_SET_DUMPABLE, 0);  // a worker that has no user id of its own shares podium's
  if (limits_.memory == 0) limits_.memory = default_memory_limit();
  auto [mine, theirs] = protocol::socket_pair();
  judge_ = sandbox::Child({.program = executables_.judge,
                           .arguments = {"--socket", "3"},
                           .descriptors = {theirs.get()},
                           .environment = executables_.environment,
                           .output = -1,
                           .sandbox = {}});
  theirs.reset();
  channel_ = protocol::Channel(std::move(mine));
  open(ordinal);
}

Session::Session(protocol::Channel judge, int ordinal, Limits limits)
    : limits_(std::move(limits)), channel_(std::move(judge)) {
  const Stopwatch watch(spent_.starts);
  if (limits_.memory == 0) limits_.memory = default_memory_limit();
  open(ordinal);
}

void Session::open(int ordinal) {
  protocol::Open message{};
  message.device = ordinal;
  try {
    device_ = must<protocol::Opened>(request(message, limits_.judge));
  } catch (const DeviceLost& e) {
    // What the dynamic loader ends with, before main(); its own words have been printed.
    constexpr int loader_failed = 127;
    if (e.end() != sandbox::End(sandbox::Exited{loader_failed})) throw;
    throw DeviceLost(
        fmt::format("{0} does not start: a library that it was linked with is missing; `ldd {0}` "
                    "says which: install it, or add its folder to LD_LIBRARY_PATH",
                    executables_.judge.string()));
  }
}

// All that a session is asked for passes here: a signal that podium was told to end by ends the judge, and
// nobody is blamed for what the same signal did to a worker.
void Session::end_if_interrupted() {
  const auto signal = interruption();
  if (signal.empty()) return;
  judge_.end();
  throw Error(fmt::format("ended by {}", signal), Exit::interrupted);
}

void Session::give_up_judge(const std::string& why, std::optional<sandbox::End> end) {
  end_if_interrupted();
  judge_.end();
  const bool processor = protocol::get(device_.backend) == "host";  // which is not lost
  throw DeviceLost(processor ? why : why + ": the device may be lost", end);
}

void Session::judge_gone() {
  const auto end = judge_.ended(death_notice);
  give_up_judge(fmt::format("the judge {}", end ? words_of(*end) : "closed its channel"), end);
}

Session::~Session() {
  release();
  channel_.close();
}

double Session::time_in(double number) {
  if (!std::isfinite(number) || number < 0)
    give_up_judge(fmt::format(
        "the judge broke the protocol: its answer says {}, expected a finite number from 0 on", number));
  return number;
}

// Waits for the judge's answer. Podium owns all time-outs: a worker that lets its time pass, or takes too
// much memory, is ended, upon which the judge answers that it is gone; a judge that does not answer is ended
// too.
protocol::Packet Session::ask(milliseconds patience) {
  auto left = patience;
  for (;;) {
    end_if_interrupted();
    const auto slice = std::min(left, between_looks);
    try {
      if (auto packet = channel_.receive(static_cast<int>(slice.count()))) {
        end_if_interrupted();
        if (const auto excess = excess_of_worker()) end_worker(*excess);  // as the next request will find
        return std::move(*packet);
      }
    } catch (const protocol::Closed&) {
      judge_gone();
    } catch (const protocol::Malformed& e) {
      give_up_judge(fmt::format("the judge broke the protocol: {}", e.what()));
    }
    left -= slice;
    if (const auto excess = excess_of_worker()) {
      end_worker(*excess);
      left = judge_after_kill;
      continue;
    }
    if (left.count() > 0) continue;
    if (!worker_.child || killed_for_) {
      give_up_judge(fmt::format(
          "the judge did not answer in {} s and was ended",
          std::chrono::duration_cast<seconds>(worker_.child ? judge_after_kill : patience).count()));
    }
    end_worker({Verdict::hung, fmt::format("no answer in {} s", limit_.count())});
    left = judge_after_kill;
  }
}

double Session::waited() const {
  return waited_for_processors() + waited_by(judge_.pid()) + waited_by(worker_.child.pid());
}

void Session::load(const problem::Problem& problem, std::size_t choice,
                   const std::filesystem::path& program) {
  end_all();
  // The judge reads what podium read, not what the file has become since.
  const Descriptor text(memfd_create("podium-problem", MFD_CLOEXEC));
  if (!text || write(text.get(), problem.source.data(), problem.source.size()) !=
                   static_cast<ssize_t>(problem.source.size()))
    throw Error(
        fmt::format("{} could not be handed to the judge: {}", problem.file.string(), std::strerror(errno)));
  const Descriptor object = opened(program);
  protocol::LoadProblem message{};
  protocol::put(message.name, problem.name);
  protocol::put(message.file, problem.file.string());
  message.choice = static_cast<std::int32_t>(choice);
  const int descriptors[] = {text.get(), object.get()};
  must<protocol::Done>(request(message, limits_.judge, descriptors));
}

void Session::board(const std::vector<int>& workloads) {
  end_all();
  protocol::Board message{};
  if (workloads.size() > std::size(message.workloads))
    throw Error(fmt::format("{} workloads on one board; at most {} are possible", workloads.size(),
                            std::size(message.workloads)));
  std::copy(workloads.begin(), workloads.end(), message.workloads);
  message.count = static_cast<std::int32_t>(workloads.size());
  must<protocol::Done>(request(message, limits_.judge));
  others_ = device_memory().others;
}

protocol::Rehearsed Session::rehearse(int workload, bool full, int repeats) {
  protocol::Rehearse message{};
  message.workload = workload;
  message.full = full;
  message.repeats = repeats;
  const Stopwatch watch(spent_.rehearsals);
  const bool at_leisure = full || device::is_emulated(protocol::get(device_.product));
  const auto patience = at_leisure ? limits_.judge : std::min(limits_.judge, longest_rehearsal);
  auto rehearsed = must<protocol::Rehearsed>(request(message, patience));
  rehearsed.count = std::min<std::uint64_t>(rehearsed.count, protocol::max_evaluations);
  return rehearsed;
}

protocol::Sensed Session::sense(int workload) {
  protocol::Sense message{};
  message.workload = workload;
  const Stopwatch watch(spent_.rehearsals);
  return must<protocol::Sensed>(request(message, limits_.judge));
}

protocol::Packet Session::begin(const protocol::Begin& message) {
  const Stopwatch watch(spent_.warm_ups);
  return request(message, with_worker(limits_.setup));
}

std::variant<std::monostate, Failure> Session::begin(int workload, int round, std::uint64_t owner,
                                                     double judges_seconds, bool full,
                                                     std::uint64_t structure_seed) {
  judges_time_ = milliseconds(static_cast<std::int64_t>(1000 * judges_seconds));
  protocol::Begin message{};
  message.workload = workload;
  message.round = round;
  message.owner = owner;
  message.full = full;
  message.structure_seed = structure_seed;
  message.worker = worker_.number;
  std::optional<protocol::Packet> packet(begin(message));
  if (parking_.size() > 0 &&
      may_lack_memory(*packet)) {  // while others held some of it: once more, without them
    end_parked();
    if (auto started = start(std::filesystem::path(worker_.plugin), std::string(worker_.key));
        std::holds_alternative<Failure>(started))
      return started;
    message.worker = worker_.number;
    packet.emplace(begin(message));
  }
  if (packet->type() == protocol::Type::refused) return failure(answer_in<protocol::Refused>(*packet));
  const auto bound = bound_device_memory();
  if (const auto* found = std::get_if<Failure>(&bound)) return *found;
  if (std::get<Bound>(bound) == Bound::renewed) {
    message.worker = worker_.number;
    packet.emplace(begin(message));
    if (packet->type() == protocol::Type::refused) return failure(answer_in<protocol::Refused>(*packet));
  }
  begun_ = answer_in<protocol::Begun>(*packet);
  begun_.most_calls = std::clamp(begun_.most_calls, 1, protocol::most_together);
  return std::monostate{};
}

milliseconds Session::with_worker(seconds limit, int calls) {
  limit_ = limit;
  return limit + calls * judges_time_;
}

// Of repeated calls the judge fills and checks one; none is begun once they have taken too long, and what
// then lies in a device's queue takes no longer than was expected of all.
milliseconds Session::patience_for(const How& how) {
  if (how.mode != protocol::Mode::repeated) return with_worker(limits_.call, how.calls);
  const double seconds = protocol::longest_repeats + 2 * how.seconds;
  return with_worker(limits_.call) + milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

std::variant<std::monostate, Failure> Session::end() {
  const Stopwatch watch(spent_.warm_ups);
  const auto bound = bound_device_memory();
  if (const auto* found = std::get_if<Failure>(&bound)) return *found;
  if (std::get<Bound>(bound) == Bound::renewed)
    return std::monostate{};  // with the process its instance ended
  return outcome(request(protocol::End{}, with_worker(limits_.call)));
}

std::variant<std::monostate, Failure> Session::outcome(const protocol::Packet& packet) {
  if (packet.type() == protocol::Type::refused) return failure(answer_in<protocol::Refused>(packet));
  answer_in<protocol::Done>(packet);
  return std::monostate{};
}

Failure Session::failure(const protocol::Refused& refused) {
  if (refused.verdict == Verdict::none) throw ProblemFault(protocol::get(refused.text));
  if (refused.verdict == Verdict::right)
    give_up_judge("the judge broke the protocol: it refused what it found right");
  const std::string said = plain(protocol::get(refused.text));
  if (killed_for_) {
    Failure failure = *killed_for_;
    if (failure.verdict == Verdict::hung && refused.verdict == Verdict::gone)
      failure.text = fmt::format("{}: {}", said, failure.text);
    return failure;
  }
  if (worker_.child.ran_out()) return excess_of_memory();
  if (refused.verdict != Verdict::gone) return {of_judge(refused.verdict), said};
  const auto end = worker_.child.ended(death_notice);
  if (end == sandbox::End(sandbox::Killed{SIGKILL}) && memory_ran_out())
    return {Verdict::out_of_memory, "the machine had no memory left, and the kernel ended it"};
  Failure failure = failure_of(end);
  if (const std::string words = last_words(worker_.output.get()); !words.empty())
    failure.text += "; last words: " + words;
  return failure;
}

void Session::load_calibration(const std::filesystem::path& program) {
  const Descriptor object = opened(program);
  const int descriptors[] = {object.get()};
  must<protocol::Done>(request(protocol::LoadCalibration{}, limits_.judge, descriptors));
}

protocol::Probed Session::probe(protocol::Probe probe) {
  protocol::AskProbe message{};
  message.probe = probe;
  auto probed = must<protocol::Probed>(request(message, limits_.judge));
  probed.count = std::clamp<std::int64_t>(probed.count, 0, protocol::max_probe_times);
  return probed;
}

std::vector<std::uint64_t> Session::secret() {
  const auto seeds = must<protocol::SeedsAre>(request(protocol::Seeds{}, limits_.judge));
  return {seeds.secret[0], seeds.secret[1]};
}

}  // namespace podium::contest
