// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/session.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "suite/base/pressure.hpp"
#include "suite/contest/stopwatch.hpp"
#include "suite/device/emulated.hpp"

namespace podium::contest {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds longest_rehearsal{60};  // of one workload

Session::Limits with_memory(Session::Limits limits) {
  struct sysinfo info{};
  sysinfo(&info);
  if (limits.memory == 0) limits.memory = static_cast<std::int64_t>(info.totalram) * info.mem_unit / 4 * 3;
  return limits;
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
    : executables_(std::move(executables)), limits_(with_memory(std::move(limits))), watch_(limits_.memory) {
  const Stopwatch watch(spent_.starts);
  prctl(PR_SET_DUMPABLE, 0);  // a worker that has no user id of its own shares podium's
  judge_ = JudgeLink(executables_.judge, executables_.environment, looked_after());
  open(ordinal);
}

Session::Session(protocol::Channel judge, int ordinal, Limits limits)
    : limits_(with_memory(std::move(limits))),
      judge_(std::move(judge), looked_after()),
      watch_(limits_.memory) {
  const Stopwatch watch(spent_.starts);
  open(ordinal);
}

JudgeLink::Worker Session::looked_after() {
  return {.look = [this] { return watch_.look(worker_.child); },
          .time_out = [this] { return watch_.time_out(worker_.child, limit_); }};
}

void Session::open(int ordinal) {
  protocol::Open message{};
  message.device = ordinal;
  try {
    device_ = judge_.must<protocol::Opened>(judge_.request(message, limits_.judge));
    judge_.has_device(protocol::get(device_.backend) != "host");
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

Session::~Session() {
  release();
  judge_.close();
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
  judge_.must<protocol::Done>(judge_.request(message, limits_.judge, descriptors));
}

void Session::board(const std::vector<int>& workloads) {
  end_all();
  protocol::SizeArena message{};
  if (workloads.size() > std::size(message.workloads))
    throw Error(fmt::format("{} workloads on one board; at most {} are possible", workloads.size(),
                            std::size(message.workloads)));
  std::copy(workloads.begin(), workloads.end(), message.workloads);
  message.count = static_cast<std::int32_t>(workloads.size());
  judge_.must<protocol::Done>(judge_.request(message, limits_.judge));
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
  auto rehearsed = judge_.must<protocol::Rehearsed>(judge_.request(message, patience));
  rehearsed.count = std::min<std::uint64_t>(rehearsed.count, protocol::max_evaluations);
  return rehearsed;
}

protocol::Sensed Session::sense(int workload) {
  protocol::Sense message{};
  message.workload = workload;
  const Stopwatch watch(spent_.rehearsals);
  return judge_.must<protocol::Sensed>(judge_.request(message, limits_.judge));
}

protocol::Packet Session::begin(const protocol::Begin& message) {
  const Stopwatch watch(spent_.warm_ups);
  return judge_.request(message, with_worker(limits_.setup));
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
  if (packet->type() == protocol::Type::refused) return failure(judge_.answer_in<protocol::Refused>(*packet));
  const auto bound = bound_device_memory();
  if (const auto* found = std::get_if<Failure>(&bound)) return *found;
  if (std::get<Bound>(bound) == Bound::renewed) {
    message.worker = worker_.number;
    packet.emplace(begin(message));
    if (packet->type() == protocol::Type::refused)
      return failure(judge_.answer_in<protocol::Refused>(*packet));
  }
  begun_ = judge_.answer_in<protocol::Begun>(*packet);
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
  return outcome(judge_.request(protocol::End{}, with_worker(limits_.call)));
}

std::variant<std::monostate, Failure> Session::outcome(const protocol::Packet& packet) {
  if (packet.type() == protocol::Type::refused) return failure(judge_.answer_in<protocol::Refused>(packet));
  judge_.answer_in<protocol::Done>(packet);
  return std::monostate{};
}

Failure Session::failure(const protocol::Refused& refused) {
  if (refused.verdict == Verdict::none) throw ProblemFault(protocol::get(refused.text));
  if (refused.verdict == Verdict::right)
    judge_.give_up("the judge broke the protocol: it refused a result that it had accepted");
  const std::string said = plain(protocol::get(refused.text));
  if (watch_.ended_for()) {
    Failure failure = *watch_.ended_for();
    if (failure.verdict == Verdict::hung && refused.verdict == Verdict::gone)
      failure.text = fmt::format("{}: {}", said, failure.text);
    return failure;
  }
  if (worker_.child.ran_out()) return watch_.excess_of_memory();
  if (refused.verdict != Verdict::gone) return {of_judge(refused.verdict), said};
  const auto end = worker_.child.ended(death_notice);
  if (end == sandbox::End(sandbox::Killed{SIGKILL}) && watch_.memory_ran_out())
    return {Verdict::out_of_memory, "the machine had no memory left, and the kernel ended it"};
  Failure failure = failure_of(end);
  if (const std::string words = last_words(worker_.output.get()); !words.empty())
    failure.text += "; last words: " + words;
  return failure;
}

void Session::load_calibration(const std::filesystem::path& program) {
  const Descriptor object = opened(program);
  const int descriptors[] = {object.get()};
  judge_.must<protocol::Done>(judge_.request(protocol::LoadCalibration{}, limits_.judge, descriptors));
}

protocol::Probed Session::probe(protocol::Probe probe) {
  protocol::AskProbe message{};
  message.probe = probe;
  auto probed = judge_.must<protocol::Probed>(judge_.request(message, limits_.judge));
  probed.count = std::clamp<std::int64_t>(probed.count, 0, protocol::max_probe_times);
  return probed;
}

std::vector<std::uint64_t> Session::secret() {
  const auto seeds = judge_.must<protocol::SeedsAre>(judge_.request(protocol::Seeds{}, limits_.judge));
  return {seeds.secret[0], seeds.secret[1]};
}

// What a session asks of its device beside samples.
double Session::canary() {
  const Stopwatch watch(spent_.canaries);
  return judge_.time_in(
      judge_.must<protocol::CanaryIs>(judge_.request(protocol::Canary{}, with_worker(limits_.call)))
          .microseconds);
}

protocol::Calibrated Session::memory_rates() {
  const Stopwatch watch(spent_.copy_rate);
  const auto rates = judge_.must<protocol::Calibrated>(judge_.request(protocol::Calibrate{}, limits_.judge));
  for (const double rate : {rates.copy, rates.read, rates.write}) judge_.time_in(rate);
  return rates;
}

void Session::rest(std::chrono::duration<double> length) {
  const Stopwatch watch(spent_.rests);
  std::this_thread::sleep_for(length);
}

protocol::TelemetryIs Session::telemetry(bool energy) {
  const Stopwatch watch(spent_.readings);
  protocol::Telemetry message{};
  message.energy = energy;
  return judge_.must<protocol::TelemetryIs>(judge_.request(message, limits_.judge));
}

void Session::begin_counting() {
  if (!counts_) return;
  const Stopwatch watch(spent_.readings);
  protocol::Count message{};
  message.begins = 1;
  counts_ = judge_.must<protocol::Counted>(judge_.request(message, limits_.judge)).counts != 0;
}

std::optional<protocol::Counted> Session::counted() {
  if (!counts_) return std::nullopt;
  const Stopwatch watch(spent_.readings);
  return judge_.must<protocol::Counted>(judge_.request(protocol::Count{}, limits_.judge));
}

}  // namespace podium::contest
