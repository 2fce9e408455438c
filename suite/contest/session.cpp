// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/session.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

#include "suite/base/pressure.hpp"
#include "suite/protocol/reference.hpp"
#include "suite/protocol/samples.hpp"

namespace podium::contest {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds longest_rehearsal{60};  // of one workload

constexpr double micro = 1e-6;

// After which the judge answers even if more samples are wanted: what podium waits for beside one call.
constexpr std::chrono::milliseconds slice{1000};

// Whether an instance may have failed since memory was short: a constructor's exception and a device's error
// say it in many ways, and so does a judge that found no room for its own.
bool may_lack_memory(const protocol::Packet& packet) {
  if (packet.type() != protocol::Type::refused || packet.size != sizeof(protocol::Refused)) return false;
  const auto verdict = packet.as<protocol::Refused>().verdict;
  return verdict == Verdict::threw || verdict == Verdict::device_error || verdict == Verdict::out_of_memory ||
         verdict == Verdict::none;
}

}  // namespace

Session::Session(const Executables& executables, int ordinal, Limits limits)
    : executables_(executables),
      limits_(with_memory(std::move(limits))),
      workers_(judge_, device_, executables, limits_, spent_.starts) {
  const record::Stopwatch watch(spent_.starts);
  prctl(PR_SET_DUMPABLE, 0);  // a worker that has no user id of its own shares podium's
  judge_ = JudgeLink(executables.judge, executables.environment, workers_.supervision());
  open(ordinal, executables.judge);
}

Session::Session(protocol::Channel judge, int ordinal, Limits limits)
    : limits_(with_memory(std::move(limits))), workers_(judge_, device_, {}, limits_, spent_.starts) {
  const record::Stopwatch watch(spent_.starts);
  judge_ = JudgeLink(std::move(judge), workers_.supervision());
  open(ordinal, {});
}

void Session::open(int ordinal, const std::filesystem::path& judge) {
  protocol::Open message{};
  message.device = ordinal;
  try {
    device_ = judge_.must<protocol::Opened>(judge_.request(message, limits_.judge));
    const std::string backend = protocol::get(device_.backend);
    backend_ = find_backend(backend);
    if (!backend_) judge_.give_up(fmt::format("the judge broke the protocol: its backend is '{}'", backend));
    judge_.has_device(backend_->gpu);
  } catch (const DeviceLost& e) {
    // What the dynamic loader ends with, before main(); its own words have been printed.
    constexpr int loader_failed = 127;
    if (e.end() != sandbox::End(sandbox::Exited{loader_failed})) throw;
    throw DeviceLost(
        fmt::format("{0} does not start: a library that it was linked with is missing; `ldd {0}` "
                    "says which: install it, or add its folder to LD_LIBRARY_PATH",
                    judge.string()));
  }
}

Session::~Session() {
  workers_.release();
  judge_.close();
}

double Session::waited() const {
  return waited_for_processors() + waited_by(judge_.pid()) + waited_by(workers_.pid());
}

void Session::load(const problem::Problem& problem, std::size_t choice, const std::filesystem::path& program,
                   const std::filesystem::path& reference) {
  workers_.end_all();
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
  workers_.set_ranks(problem.choices[choice].ranks);
  reference_.end();
  reference_program_ = reference;
  if (problem.python) start_reference();
}

// The judge has the file executed, and says what is wrong with it.
void Session::start_reference() {
  const Descriptor socket = reference_.start(reference_program_, executables_, device_, limits_);
  judge_.watch(reference_);
  protocol::AddReference message{};
  message.pid = reference_.pid();
  message.patience = static_cast<std::int32_t>(limits_.setup.count());
  const int descriptors[] = {socket.get(), reference_.clock()};
  judge_.must<protocol::Done>(judge_.request(message, limits_.judge, descriptors));
}

void Session::renew_reference() {
  if (reference_.over()) start_reference();
}

void Session::board(const std::vector<int>& workloads) {
  workers_.end_all();
  protocol::SizeArena message{};
  if (workloads.size() > std::size(message.workloads))
    throw Error(fmt::format("{} workloads on one board; at most {} are possible", workloads.size(),
                            std::size(message.workloads)));
  std::copy(workloads.begin(), workloads.end(), message.workloads);
  message.count = static_cast<std::int32_t>(workloads.size());
  judge_.must<protocol::Done>(judge_.request(message, limits_.judge));
  workers_.note_memory_of_others();
}

protocol::Rehearsed Session::rehearse(int workload, bool full, int repeats) {
  renew_reference();
  protocol::Rehearse message{};
  message.workload = workload;
  message.full = full;
  message.repeats = repeats;
  const record::Stopwatch watch(spent_.rehearsals);
  const bool at_leisure = full || device_.emulated != 0;
  const auto patience = at_leisure ? limits_.judge : std::min(limits_.judge, longest_rehearsal);
  auto rehearsed = judge_.must<protocol::Rehearsed>(judge_.request(message, patience));
  rehearsed.count = std::min<std::uint64_t>(rehearsed.count, protocol::max_evaluations);
  return rehearsed;
}

protocol::Sensed Session::sense(int workload) {
  renew_reference();
  protocol::Sense message{};
  message.workload = workload;
  const record::Stopwatch watch(spent_.rehearsals);
  return judge_.must<protocol::Sensed>(judge_.request(message, limits_.judge));
}

protocol::Packet Session::begin(const protocol::Begin& message) {
  const record::Stopwatch watch(spent_.warm_ups);
  return judge_.request(message, workers_.allow(limits_.setup));
}

std::optional<Failure> Session::begin(int workload, int round, std::uint64_t owner, double judges_seconds,
                                      bool full, std::uint64_t structure_seed) {
  renew_reference();
  workers_.set_judges_time(milliseconds(static_cast<std::int64_t>(1000 * judges_seconds)));
  protocol::Begin message{};
  message.workload = workload;
  message.round = round;
  message.owner = owner;
  message.full = full;
  message.structure_seed = structure_seed;
  message.worker = workers_.number();
  std::optional<protocol::Packet> packet(begin(message));
  if (workers_.parked() > 0 &&
      may_lack_memory(*packet)) {  // while others held some of it: once more, without them
    workers_.end_parked();
    if (const auto failure = workers_.restart()) return failure;
    message.worker = workers_.number();
    packet.emplace(begin(message));
  }
  if (packet->type() == protocol::Type::refused)
    return workers_.failure(judge_.answer_in<protocol::Refused>(*packet));
  const auto bound = workers_.bound_device_memory();
  if (const auto* found = std::get_if<Failure>(&bound)) return *found;
  if (std::get<WorkerPool::Bound>(bound) == WorkerPool::Bound::renewed) {
    message.worker = workers_.number();
    packet.emplace(begin(message));
    if (packet->type() == protocol::Type::refused)
      return workers_.failure(judge_.answer_in<protocol::Refused>(*packet));
  }
  begun_ = judge_.answer_in<protocol::Begun>(*packet);
  for (const double amount : {begun_.bytes, begun_.flops, begun_.read, begun_.written})
    judge_.time_in(amount);
  begun_.most_calls = std::clamp(begun_.most_calls, 1, protocol::most_together);
  return std::nullopt;
}

// Of repeated calls the judge fills and checks one; none is begun once they have taken too long, and what
// then lies in a device's queue takes no longer than was expected of all.
milliseconds Session::patience_for(const How& how) {
  if (how.mode != protocol::Mode::repeated) return workers_.allow(limits_.call, how.calls);
  const double seconds = protocol::longest_repeats + 2 * how.seconds;
  return workers_.allow(limits_.call) + milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

std::optional<Failure> Session::end() {
  const record::Stopwatch watch(spent_.warm_ups);
  const auto bound = workers_.bound_device_memory();
  if (const auto* found = std::get_if<Failure>(&bound)) return *found;
  if (std::get<WorkerPool::Bound>(bound) == WorkerPool::Bound::renewed)
    return std::nullopt;  // with the process its instance ended
  return workers_.outcome(judge_.request(protocol::End{}, workers_.allow(limits_.call)));
}

std::variant<protocol::Sampled, Failure> Session::sample(int index, bool waits) {
  return sample(index, How{.waits = waits});
}

std::variant<protocol::Sampled, Failure> Session::sample(int index, const How& how) {
  renew_reference();
  protocol::Sample message{};
  message.index = index;
  message.calls = how.calls;
  message.waits = how.waits;
  message.mode = how.mode;
  message.seed = how.seed;
  double seconds = 0;
  const protocol::Packet packet = [&] {
    const record::Stopwatch watch(seconds);
    return judge_.request(message, patience_for(how));
  }();
  if (packet.type() == protocol::Type::refused)
    return workers_.failure(judge_.answer_in<protocol::Refused>(packet));
  const auto& sampled = judge_.answer_in<protocol::Sampled>(packet);
  count(sampled, how.mode, seconds / micro - sampled.own_microseconds);
  count(sampled.checked);
  if (sampled.verdict == Verdict::right) return sampled;
  const auto call = std::clamp<std::int64_t>(sampled.call, 0, how.calls - 1);
  return wrong(sampled.verdict, sampled.seed, index + call, protocol::get(sampled.text));
}

Session::Taken Session::samples(int index, const How& how, const Until& until) {
  renew_reference();
  protocol::TakeSamples message{};
  message.index = index;
  message.waits = how.waits;
  message.mode = how.mode;
  const auto unsent = std::max(0, static_cast<int>(until.counted.size()) - protocol::most_counted);
  for (const double one : until.counted.subspan(static_cast<std::size_t>(unsent)))
    message.microseconds[message.counted++] = one;
  message.least = until.rule.least - unsent;
  message.most = std::max(1, until.rule.most - unsent);
  message.relative = until.rule.relative;
  message.budget = until.rule.budget;
  message.seconds = until.seconds;
  message.least_clock = until.least_clock;
  message.slice = std::chrono::duration<double>(slice).count();
  double seconds = 0;
  const protocol::Packet packet = [&] {
    const record::Stopwatch watch(seconds);
    return judge_.request(message, workers_.allow(limits_.call) + slice);
  }();
  Taken taken;
  if (packet.type() == protocol::Type::refused) {
    taken.failure = workers_.failure(judge_.answer_in<protocol::Refused>(packet));
    return taken;
  }
  const auto& answer = judge_.answer_in<protocol::TakenSamples>(packet);
  count(answer.checked);
  const std::span all(answer.samples,
                      static_cast<std::size_t>(std::clamp(answer.count, 0, protocol::most_taken)));
  const double judges = std::accumulate(
      all.begin(), all.end(), 0.0, [](double sum, const auto& each) { return sum + each.own_microseconds; });
  for (const auto& each : all) {
    taken.samples.push_back(protocol::sampled(each));
    // Where one has failed the rest of the time is not that of the others' messages.
    const double asking = answer.failed ? 0 : (seconds / micro - judges) / static_cast<double>(all.size());
    count(taken.samples.back(), how.mode, asking);
  }
  if (answer.failed != 0) {
    protocol::Refused refused{};
    refused.verdict = answer.verdict;
    refused.rank = answer.rank;
    protocol::put(refused.text, protocol::get(answer.text));
    taken.failure = workers_.failure(refused);
  } else if (answer.verdict != Verdict::right) {
    taken.failure = wrong(answer.verdict, taken.samples.empty() ? 0 : taken.samples.back().seed,
                          index + std::max<std::int64_t>(0, std::ssize(all) - 1), protocol::get(answer.text));
    if (!taken.samples.empty()) taken.samples.pop_back();  // a sample that is wrong is none
  } else if (taken.samples.empty()) {
    judge_.give_up("the judge returned no samples");
  }
  return taken;
}

Failure Session::wrong(Verdict verdict, std::uint64_t seed, std::int64_t call, const std::string& text) {
  Failure failure{of_judge(verdict), text, fmt::format("--seed {:016x} --call {}", seed, call)};
  // An emulator says there what it saw of the kernels, which may be no mistake, or the reason for this one.
  constexpr std::string_view emulators = "podium's emulator: ";
  if (const std::string words = workers_.printed_last();
      device_.emulated != 0 && words.starts_with(emulators))
    failure.text += "; " + words.substr(emulators.size());
  if (reference_.ended_by_itself()) failure.text += reference_.how_it_ended();
  if (begun_.structure_seed != 0) failure.again += fmt::format(" --structure {:016x}", begun_.structure_seed);
  return failure;
}

void Session::count(const protocol::Checked& checked) {
  for (const std::int64_t number :
       {checked.calls, checked.elements, checked.compared, checked.examined, checked.bytes})
    judge_.count_in(number);
  checked_ += checked;
}

// What a sample took beyond the call and the judge's own work is waiting, for messages and for threads. A
// worker that says more than it took makes no sum wrong.
void Session::count(const protocol::Sampled& sampled, protocol::Mode mode, double asking) {
  for (const double time : {sampled.event_microseconds, sampled.judge_microseconds, sampled.fill_microseconds,
                            sampled.check_microseconds, sampled.reference_microseconds,
                            sampled.arm_microseconds, sampled.stop_microseconds, sampled.own_microseconds})
    judge_.time_in(time);
  judge_.error_in(sampled.worst);
  const double call = std::clamp(sampled.event_microseconds, 0.0, sampled.judge_microseconds);
  record::Wait wait{.asking = std::max(0.0, asking),
                    .arming = sampled.arm_microseconds,
                    .stopping = sampled.stop_microseconds,
                    .waking = sampled.judge_microseconds - call,
                    .flushed = mode != protocol::Mode::hot};
  wait.own = std::max(0.0, sampled.own_microseconds - sampled.fill_microseconds - sampled.check_microseconds -
                               wait.arming - wait.stopping - sampled.judge_microseconds);
  waits_.push_back(wait);
  ++spent_.samples;
  if (mode != protocol::Mode::cold) {
    spent_.columns += micro * (sampled.fill_microseconds + sampled.check_microseconds + call + wait.sum());
    return;
  }
  spent_.fills += micro * sampled.fill_microseconds;
  spent_.checks += micro * sampled.check_microseconds;
  spent_.calls += micro * call;
  spent_.waits += micro * wait.sum();
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
  const record::Stopwatch watch(spent_.canaries);
  return judge_.time_in(
      judge_.must<protocol::CanaryIs>(judge_.request(protocol::Canary{}, workers_.allow(limits_.call)))
          .microseconds);
}

double Session::link_rate() {
  const record::Stopwatch watch(spent_.copy_rate);
  const auto answer = judge_.must<protocol::LinkIs>(judge_.request(protocol::Link{}, limits_.judge));
  return judge_.time_in(answer.bytes_a_second);
}

protocol::Calibrated Session::memory_rates() {
  const record::Stopwatch watch(spent_.copy_rate);
  const auto rates = judge_.must<protocol::Calibrated>(judge_.request(protocol::Calibrate{}, limits_.judge));
  for (const double rate : {rates.copy, rates.read, rates.write}) judge_.time_in(rate);
  return rates;
}

void Session::rest(std::chrono::duration<double> length) {
  const record::Stopwatch watch(spent_.rests);
  std::this_thread::sleep_for(length);
}

protocol::TelemetryIs Session::telemetry(bool energy) {
  const record::Stopwatch watch(spent_.readings);
  protocol::Telemetry message{};
  message.energy = energy;
  return judge_.must<protocol::TelemetryIs>(judge_.request(message, limits_.judge));
}

void Session::begin_counting() {
  if (!counts_) return;
  const record::Stopwatch watch(spent_.readings);
  protocol::Count message{};
  message.begins = 1;
  counts_ = judge_.must<protocol::Counted>(judge_.request(message, limits_.judge)).counts != 0;
}

std::optional<protocol::Counted> Session::counted() {
  if (!counts_) return std::nullopt;
  const record::Stopwatch watch(spent_.readings);
  return judge_.must<protocol::Counted>(judge_.request(protocol::Count{}, limits_.judge));
}

}  // namespace podium::contest
