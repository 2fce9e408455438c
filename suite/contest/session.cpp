// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/session.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstring>

#include "suite/base/user.hpp"

namespace podium::contest {
namespace {

using protocol::Verdict;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds look_at_worker{100};  // how often its memory is looked at
constexpr seconds judge_after_kill{20};      // a device may take its time to get rid of a dead process's work
constexpr seconds longest_rehearsal{60};     // of one workload
constexpr std::string_view well_ended = "exited with status 0";
constexpr int death_notice = 2000;  // milliseconds between a closed socket and the process's end

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
    const bool greedy = worker_ && worker_.resident() > limits_.memory;
    if (left.count() > 0 && !greedy) continue;
    if (!worker_ || !killed_for_.empty()) {
      judge_.end();
      throw DeviceLost(
          fmt::format("the judge did not answer in {} s and was ended: the device may be lost",
                      std::chrono::duration_cast<seconds>(worker_ ? judge_after_kill : patience).count()));
    }
    killed_for_ = greedy ? "out of memory" : "hung";
    kill_all_of(worker_.pid(), worker_.uid());
    left = judge_after_kill;
  }
}

template <class M>
protocol::Packet Session::request(const M& message, milliseconds patience, std::span<const int> descriptors) {
  try {
    channel_.send(message, descriptors);
  } catch (const protocol::Closed&) {
    throw DeviceLost(fmt::format("the judge {}: the device may be lost",
                                 judge_.ended(death_notice).value_or("closed its channel")));
  }
  return ask(patience);
}

// For answers in which no contestant takes part: a refusal is the problem's fault, or the device's.
template <class M>
M Session::must(protocol::Packet packet) {
  if (packet.type() == protocol::Type::refused) {
    const auto& refused = packet.as<protocol::Refused>();
    const auto exit = static_cast<Exit>(refused.exit_status);
    if (exit == Exit::usage) throw ProblemFault(protocol::get(refused.text));
    throw Error(protocol::get(refused.text), exit);
  }
  return packet.as<M>();
}

void Session::load(const problem::Problem& problem, std::size_t choice,
                   const std::filesystem::path& program) {
  // The judge reads what podium read, not what the file has become since.
  const Descriptor text(memfd_create("podium-problem", MFD_CLOEXEC));
  if (!text || write(text.get(), problem.source.data(), problem.source.size()) !=
                   static_cast<ssize_t>(problem.source.size()))
    throw Error(
        fmt::format("{} could not be handed to the judge: {}", problem.file.string(), std::strerror(errno)));
  const Descriptor object(open(program.c_str(), O_RDONLY | O_CLOEXEC));
  if (!object) throw Error(fmt::format("{} cannot be read: {}", program.string(), std::strerror(errno)));
  protocol::LoadProblem message{};
  protocol::put(message.name, problem.name);
  protocol::put(message.file, problem.file.string());
  message.choice = static_cast<std::int32_t>(choice);
  const int descriptors[] = {text.get(), object.get()};
  must<protocol::Done>(request(message, limits_.judge, descriptors));
}

void Session::board(const std::vector<int>& workloads) {
  protocol::Board message{};
  if (workloads.size() > std::size(message.workloads))
    throw Error(fmt::format("{} workloads on one board; at most {} are possible", workloads.size(),
                            std::size(message.workloads)));
  std::copy(workloads.begin(), workloads.end(), message.workloads);
  message.count = static_cast<std::int32_t>(workloads.size());
  must<protocol::Done>(request(message, limits_.judge));
}

protocol::Rehearsed Session::rehearse(int workload, bool full, int repeats) {
  protocol::Rehearse message{};
  message.workload = workload;
  message.full = full;
  message.repeats = repeats;
  const auto patience = full ? limits_.judge : std::min(limits_.judge, longest_rehearsal);
  auto rehearsed = must<protocol::Rehearsed>(request(message, patience));
  rehearsed.count = std::min<std::uint64_t>(rehearsed.count, protocol::max_evaluations);
  return rehearsed;
}

std::variant<std::monostate, Failure> Session::start(const std::filesystem::path& plugin) {
  release();
  killed_for_.clear();
  auto [judges, workers] = protocol::socket_pair();
  Descriptor library;
  Start start{.program = executables_.worker,
              .arguments = {"--socket", "3"},
              .descriptors = {workers.get()},
              .output = -1,
              .sandbox = {}};
  if (!plugin.empty()) {
    library.reset(open(plugin.c_str(), O_RDONLY | O_CLOEXEC));
    if (!library) throw Error(fmt::format("{} cannot be read: {}", plugin.string(), std::strerror(errno)));
    start.descriptors.push_back(library.get());
    start.arguments.insert(start.arguments.end(), {"--plugin", "4"});
  }
  output_.reset(memfd_create("podium-output", MFD_CLOEXEC));
  if (limits_.under.empty()) {
    start.output = output_.get();
    start.sandbox = Sandbox{.uid = worker_uid()};
  } else {  // env finds the tool, as a shell would
    start.arguments.insert(start.arguments.begin(), executables_.worker);
    start.arguments.insert(start.arguments.begin(), limits_.under.begin(), limits_.under.end());
    start.program = "/usr/bin/env";
  }
  worker_ = Child(start);
  workers.reset();
  protocol::Worker message{};
  message.empty = plugin.empty();
  message.pid = worker_.pid();
  message.uid = worker_.uid();
  const int descriptor = judges.get();
  return outcome(request(message, with_worker(), std::span(&descriptor, 1)));
}

std::variant<std::monostate, Failure> Session::begin(int workload, int round, std::uint64_t owner,
                                                     double judges_seconds, bool full) {
  judges_time_ = milliseconds(static_cast<std::int64_t>(1000 * judges_seconds));
  protocol::Begin message{};
  message.workload = workload;
  message.round = round;
  message.owner = owner;
  message.full = full;
  const protocol::Packet packet = request(message, with_worker());
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
  const protocol::Packet packet = request(message, with_worker(how.calls));
  if (packet.type() == protocol::Type::refused) return failure(packet.as<protocol::Refused>());
  const auto& sampled = packet.as<protocol::Sampled>();
  if (sampled.verdict == Verdict::right) return sampled;
  return Failure{word_for(sampled.verdict),
                 fmt::format("{} (seed {:016x})", protocol::get(sampled.text), sampled.seed)};
}

std::variant<std::monostate, Failure> Session::end() {
  return outcome(request(protocol::End{}, with_worker()));
}

std::optional<Failure> Session::release() {
  if (!worker_) return std::nullopt;
  try {
    if (judge_) must<protocol::Done>(request(protocol::Release{}, limits_.judge));
  } catch (const Error&) {  // a judge that is gone is met again at the next request
  }
  std::optional<Failure> found;
  if (!limits_.under.empty()) {
    const auto patience = std::chrono::duration_cast<milliseconds>(limits_.call).count();
    const auto ended = worker_.ended(static_cast<int>(patience)).value_or("did not end");
    if (ended != well_ended) found = {"fault found", fmt::format("{} {}", limits_.under.front(), ended)};
  }
  worker_.end();
  return found;
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
  const std::string how = worker_.ended(death_notice).value_or("closed its channel");
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
  const off_t end = lseek(output_.get(), 0, SEEK_END);
  const ssize_t got =
      pread(output_.get(), text, sizeof text, std::max<off_t>(0, end - static_cast<off_t>(sizeof text)));
  std::string words(text, static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  while (!words.empty() && std::isspace(static_cast<unsigned char>(words.back()))) words.pop_back();
  if (const auto line = words.find_last_of('\n'); line != std::string::npos) words.erase(0, line + 1);
  std::erase_if(words, [](unsigned char c) { return c < ' '; });
  return words;
}

double Session::copy_rate() {
  return must<protocol::Calibrated>(request(protocol::Calibrate{}, limits_.judge)).copy_bytes_per_second;
}

std::vector<std::uint64_t> Session::secret() {
  const auto seeds = must<protocol::SeedsAre>(request(protocol::Seeds{}, limits_.judge));
  return {seeds.secret[0], seeds.secret[1]};
}

}  // namespace podium::contest
