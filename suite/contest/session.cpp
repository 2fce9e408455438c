// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "suite/base/user.hpp"
#include "suite/contest/session_requests.hpp"
#include "suite/contest/stopwatch.hpp"

namespace podium::contest {
namespace {

using protocol::Verdict;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds look_at_worker{100};  // how often its memory is looked at
constexpr seconds judge_after_kill{20};      // a device may take its time to get rid of a dead process's work
constexpr seconds longest_rehearsal{60};     // of one workload

std::int64_t default_memory_limit() {
  struct sysinfo info{};
  sysinfo(&info);
  return static_cast<std::int64_t>(info.totalram) * info.mem_unit / 4 * 3;
}

std::string word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::right:
      return "right";
    case Verdict::wrong:
      return "wrong";
    case Verdict::not_written:
      return "not written";
    case Verdict::input_changed:
      return "input changed";
    case Verdict::out_of_bounds:
      return "out of bounds";
    case Verdict::unsupported:
      return "not supported";
    case Verdict::threw:
      return "threw";
    case Verdict::device_error:
      return "device error";
    case Verdict::broke_protocol:
      return "broke protocol";
    case Verdict::gone:
      return "crashed";
    case Verdict::not_capturable:
      return not_capturable;
    case Verdict::problem_fault:
      break;
  }
  return "broke protocol";
}

// Whether an instance may have failed since memory was short: a constructor's exception and a device's error
// say it in many ways, and so does a judge that found no room for its own.
bool may_lack_memory(const protocol::Packet& packet) {
  if (packet.type() != protocol::Type::refused) return false;
  const auto verdict = packet.as<protocol::Refused>().verdict;
  return verdict == Verdict::threw || verdict == Verdict::device_error || verdict == Verdict::problem_fault;
}

}  // namespace

Executables executables(const std::string& backend) {
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  Executables found{here / ("podium-judge-" + backend), here / ("podium-worker-" + backend)};
  for (const auto& file : {found.judge, found.worker})
    if (!std::filesystem::exists(file))
      throw Error(
          fmt::format("this Podium was built without the {0} backend ({1} is not there); build it with "
                      "`cmake --workflow --preset {0}`",
                      backend, file.string()));
  return found;
}

Session::Session(Executables executables, int ordinal, Limits limits)
    : executables_(std::move(executables)), limits_(std::move(limits)) {
  const Stopwatch watch(spent_.starts);
  if (limits_.memory == 0) limits_.memory = default_memory_limit();
  auto [mine, theirs] = protocol::socket_pair();
  judge_ = Child({.program = executables_.judge,
                  .arguments = {"--socket", "3"},
                  .descriptors = {theirs.get()},
                  .output = -1,
                  .sandbox = {}});
  theirs.reset();
  channel_ = protocol::Channel(std::move(mine));
  protocol::Open open{};
  open.device = ordinal;
  device_ = must<protocol::Opened>(request(open, limits_.judge));
}

Session::~Session() {
  release();
  channel_.close();
}

// Waits for the judge's answer. Podium owns all time-outs: a worker that lets its time pass, or takes too
// much memory, is ended, upon which the judge answers that it is gone; a judge that does not answer is ended
// too.
protocol::Packet Session::ask(milliseconds patience) {
  auto left = patience;
  for (;;) {
    const auto slice = std::min(left, look_at_worker);
    try {
      if (auto packet = channel_.receive(static_cast<int>(slice.count()))) return std::move(*packet);
    } catch (const protocol::Closed&) {
      const std::string how = judge_.ended(death_notice).value_or("closed its channel");
      judge_.end();
      throw DeviceLost(fmt::format("the judge {}: the device may be lost", how));
    }
    left -= slice;
    const bool greedy = worker_.child && worker_.child.resident() > limits_.memory;
    if (left.count() > 0 && !greedy) continue;
    if (!worker_.child || !killed_for_.empty()) {
      judge_.end();
      throw DeviceLost(fmt::format(
          "the judge did not answer in {} s and was ended: the device may be lost",
          std::chrono::duration_cast<seconds>(worker_.child ? judge_after_kill : patience).count()));
    }
    killed_for_ = greedy ? "out of memory" : "hung";
    kill_all_of(worker_.child.pid(), worker_.child.uid());
    left = judge_after_kill;
  }
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
  const auto patience = full ? limits_.judge : std::min(limits_.judge, longest_rehearsal);
  auto rehearsed = must<protocol::Rehearsed>(request(message, patience));
  rehearsed.count = std::min<std::uint64_t>(rehearsed.count, protocol::max_evaluations);
  return rehearsed;
}

protocol::Packet Session::begin(const protocol::Begin& message) {
  const Stopwatch watch(spent_.warm_ups);
  return request(message, with_worker());
}

std::variant<std::monostate, Failure> Session::begin(int workload, int round, std::uint64_t owner,
                                                     double judges_seconds, bool full) {
  judges_time_ = milliseconds(static_cast<std::int64_t>(1000 * judges_seconds));
  protocol::Begin message{};
  message.workload = workload;
  message.round = round;
  message.owner = owner;
  message.full = full;
  message.worker = worker_.number;
  protocol::Packet packet = begin(message);
  if (parking_.size() > 0 &&
      may_lack_memory(packet)) {  // while others held some of it: once more, without them
    while (parking_.size() > 0) end_oldest();
    if (auto started = start(std::filesystem::path(worker_.plugin), std::string(worker_.key));
        std::holds_alternative<Failure>(started))
      return started;
    message.worker = worker_.number;
    packet = begin(message);
  }
  if (packet.type() == protocol::Type::refused) return failure(packet.as<protocol::Refused>());
  begun_ = packet.as<protocol::Begun>();
  return std::monostate{};
}

std::variant<protocol::Sampled, Failure> Session::sample(int index, bool waits) {
  return sample(index, How{.waits = waits});
}

std::variant<protocol::Sampled, Failure> Session::sample(int index, const How& how) {
  protocol::Sample message{};
  message.index = index;
  message.calls = how.calls;
  message.waits = how.waits;
  message.mode = how.mode;
  double seconds = 0;
  const protocol::Packet packet = [&] {
    const Stopwatch watch(seconds);
    return request(message, with_worker(how.calls));
  }();
  if (packet.type() == protocol::Type::refused) return failure(packet.as<protocol::Refused>());
  const auto& sampled = packet.as<protocol::Sampled>();
  count(sampled, seconds);
  if (sampled.verdict == Verdict::right) return sampled;
  return Failure{word_for(sampled.verdict),
                 fmt::format("{} (seed {:016x})", protocol::get(sampled.text), sampled.seed)};
}

std::variant<std::monostate, Failure> Session::end() {
  const Stopwatch watch(spent_.warm_ups);
  return outcome(request(protocol::End{}, with_worker()));
}

// What a sample took beyond the call and the judge's own work is waiting, for messages and for threads. A
// worker that says more than it took makes no sum wrong.
void Session::count(const protocol::Sampled& sampled, double seconds) {
  constexpr double micro = 1e-6;
  const double judges = micro * (sampled.fill_microseconds + sampled.check_microseconds);
  const double call = std::clamp(micro * sampled.event_microseconds, 0.0, std::max(0.0, seconds - judges));
  spent_.fills += micro * sampled.fill_microseconds;
  spent_.checks += micro * sampled.check_microseconds;
  spent_.calls += call;
  waits_.push_back(std::max(0.0, seconds - judges - call) / micro);
  spent_.waits += micro * waits_.back();
  ++spent_.samples;
}

std::variant<std::monostate, Failure> Session::outcome(const protocol::Packet& packet) {
  if (packet.type() == protocol::Type::refused) return failure(packet.as<protocol::Refused>());
  packet.as<protocol::Done>();
  return std::monostate{};
}

Failure Session::failure(const protocol::Refused& refused) {
  if (refused.verdict == Verdict::problem_fault) throw ProblemFault(protocol::get(refused.text));
  if (!killed_for_.empty()) {
    const bool hung = killed_for_ == "hung";
    return {killed_for_, hung ? fmt::format("no answer in {} s", limits_.call.count())
                              : fmt::format("more than {} MiB of host memory", limits_.memory >> 20)};
  }
  if (refused.verdict != Verdict::gone) return {word_for(refused.verdict), protocol::get(refused.text)};
  const std::string how = worker_.child.ended(death_notice).value_or("closed its channel");
  const std::string words = last_words();
  constexpr std::string_view crashed = "crashed: ", exited = "exited ";
  const std::string verdict = how.starts_with(exited) ? "exited" : "crashed";
  std::string text = how;
  for (const auto prefix : {crashed, exited})
    if (how.starts_with(prefix)) text.erase(0, prefix.size());
  return {verdict, words.empty() ? text : fmt::format("{}; last words: {}", text, words)};
}

std::string Session::last_words() const {
  char text[512];
  const off_t end = lseek(worker_.output.get(), 0, SEEK_END);
  const ssize_t got = pread(worker_.output.get(), text, sizeof text,
                            std::max<off_t>(0, end - static_cast<off_t>(sizeof text)));
  std::string words(text, static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  while (!words.empty() && std::isspace(static_cast<unsigned char>(words.back()))) words.pop_back();
  if (const auto line = words.find_last_of('\n'); line != std::string::npos) words.erase(0, line + 1);
  std::erase_if(words, [](unsigned char c) { return c < ' '; });
  return words;
}

double Session::canary() {
  const Stopwatch watch(spent_.canaries);
  return must<protocol::CanaryIs>(request(protocol::Canary{}, with_worker())).microseconds;
}

double Session::copy_rate() {
  return must<protocol::Calibrated>(request(protocol::Calibrate{}, limits_.judge)).copy_bytes_per_second;
}

protocol::TelemetryIs Session::telemetry() {
  return must<protocol::TelemetryIs>(request(protocol::Telemetry{}, limits_.judge));
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
