// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/judge.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "suite/base/parallel.hpp"
#include "suite/base/user.hpp"
#include "suite/judge/bench.hpp"
#include "suite/judge/calibration.hpp"
#include "suite/judge/loaded_problem.hpp"
#include "suite/judge/python_reference.hpp"
#include "suite/judge/rehearsal.hpp"
#include "suite/judge/take_samples.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/protocol/sensitivity.hpp"

namespace podium::judge {
namespace {

using protocol::Verdict;

constexpr int most_rehearsals = 100;  // of a workload at one request; podium's time-out ends longer ones
constexpr std::int64_t rehearsal_round = -2;  // rounds count from 0; -1 is verification

constexpr std::int64_t default_scratch = std::int64_t{1}
                                         << 30;  // bytes, where `requires.scratch` says nothing

// Of the workers that there are, by their number and rank; 0: none. The handler of signals needs them, too.
volatile pid_t worker_groups[protocol::max_workers * protocol::max_ranks] = {};
volatile pid_t reference_group = 0;  // likewise, of the reference in Python

void end_workers_and_self(int) {
  for (const volatile pid_t& group : worker_groups)
    if (group > 1) kill(-group, SIGKILL);
  if (reference_group > 1) kill(-reference_group, SIGKILL);
  _exit(0);
}

// What an instance costs, as podium is told when it begins.
protocol::Begun costs_of(const problem::Instance& instance) {
  protocol::Begun answer{{}, instance.bytes, instance.flops, 0, 0, 1, 0};
  for (const auto& tensor : instance.tensors) {
    if (!tensor.visible) continue;
    if (tensor.role != problem::Role::output) answer.read += static_cast<double>(tensor.content);
    if (tensor.role != problem::Role::input) answer.written += static_cast<double>(tensor.content);
  }
  for (const auto& structure : instance.structure)
    if (structure.visible)
      answer.read += static_cast<double>(structure.used_elements() * problem::info(structure.dtype).bytes);
  return answer;
}

class Judge {
 public:
  Judge(protocol::Channel podium, Opener open)
      : podium_(std::move(podium)), open_(open), secret_(draw_secret()) {}

  [[noreturn]] void serve() {
    // Between samples podium asks again soon, and nothing is timed.
    constexpr std::chrono::microseconds awake{200};
    for (;;) {
      if (on_turn_)
        if (auto packet = podium_.look_for(awake)) {
          answer(std::move(*packet));
          continue;
        }
      answer(std::move(*podium_.receive()));
    }
  }

  void kill_workers() const {
    for (std::size_t worker = 0; worker < std::size(worker_groups); ++worker)
      if (worker_groups[worker] > 0) kill_all_of(worker_groups[worker], worker_uids_[worker]);
    if (reference_group > 0) kill_all_of(reference_group, 0);
  }

 private:
  void answer(protocol::Packet packet) {
    try {
      dispatch(packet);
    } catch (const WorkerFailure& e) {
      refuse(e.verdict(), Fault::contestant, e.what(), std::max(0, e.rank()));
    } catch (const protocol::Closed&) {
      throw;
    } catch (const device::OutOfMemory& e) {
      if (contestants_live())
        refuse(Verdict::out_of_memory, e.fault(),
               fmt::format("the contestant leaves the judge too little memory: {}", e.what()));
      else
        refuse(Verdict::none, e.fault(), e.what());
    } catch (const Error& e) {
      refuse(Verdict::none, e.fault(), e.what());
    }
  }

  bool contestants_live() const {
    return std::ranges::any_of(benches_, [](const auto& bench) { return bench && bench->verified(); });
  }

  void dispatch(protocol::Packet& packet) {
    switch (packet.type()) {
      case protocol::Type::open:
        return open(packet.as<protocol::Open>());
      case protocol::Type::problem:
        return load(packet);
      case protocol::Type::reference:
        return reference(packet);
      case protocol::Type::arena:
        return arena(packet.as<protocol::SizeArena>());
      case protocol::Type::worker:
        return worker(packet);
      case protocol::Type::begin:
        return begin(packet.as<protocol::Begin>());
      case protocol::Type::sample:
        return sample(packet.as<protocol::Sample>());
      case protocol::Type::take_samples:
        return sample(packet.as<protocol::TakeSamples>());
      case protocol::Type::end:
        bench().end();
        on_turn_ = nullptr;
        return done();
      case protocol::Type::release:
        return release(packet.as<protocol::Release>());
      case protocol::Type::canary:
        return podium_.send(protocol::CanaryIs{{}, device().canary()});
      case protocol::Type::memory:
        return podium_.send(
            protocol::MemoryIs{{}, device().memory_of_others(), device().description().memory});
      case protocol::Type::rehearse:
        return rehearse(packet.as<protocol::Rehearse>());
      case protocol::Type::sense:
        return sense(packet.as<protocol::Sense>());
      case protocol::Type::calibrate: {
        const device::MemoryRates rates = device().memory_rates();
        return podium_.send(protocol::Calibrated{{}, rates.copy, rates.read, rates.write});
      }
      case protocol::Type::link:
        return podium_.send(protocol::LinkIs{{}, link_rate()});
      case protocol::Type::telemetry:
        return telemetry(packet.as<protocol::Telemetry>());
      case protocol::Type::count:
        return count(packet.as<protocol::Count>());
      case protocol::Type::load_calibration:
        calibration_ = std::make_unique<Calibration>(device(), device().load(packet.descriptors[0].get()));
        return done();
      case protocol::Type::probe:
        if (!calibration_) throw Error("cannot probe: the calibration's program is not loaded");
        return podium_.send(calibration_->probe(packet.as<protocol::AskProbe>().probe));
      case protocol::Type::seeds:
        return podium_.send(protocol::SeedsAre{{}, {secret_[0], secret_[1]}});
      default:
        throw protocol::Malformed(fmt::format("unexpected message type {}", static_cast<int>(packet.type())));
    }
  }

  void done(std::int64_t number = 0) { podium_.send(protocol::Done{{}, number}); }

  void refuse(Verdict verdict, Fault fault, const std::string& text, int rank = 0) {
    protocol::Refused refused{};
    refused.rank = rank;
    refused.verdict = verdict;
    refused.fault = fault;
    protocol::put(refused.text, text);
    podium_.send(refused);
  }

  device::Device& device() {
    if (!device_) throw Error("no device is open");
    return *device_;
  }
  Bench& bench() {
    if (!on_turn_) throw Error("cannot take a sample: no worker has begun an instance");
    return *on_turn_;
  }

  void open(const protocol::Open& request) {
    dismiss();  // all that lies on a device that was opened before
    loaded_.reset();
    calibration_.reset();
    others_.clear();
    link_rates_.clear();
    ordinal_ = request.device;
    device_.reset();
    device_ = open_(ordinal_);
    const auto& d = device_->description();
    protocol::Opened opened{};
    protocol::put(opened.backend, d.backend);
    protocol::put(opened.product, d.product);
    protocol::put(opened.architecture, d.architecture);
    protocol::put(opened.driver, d.driver);
    protocol::put(opened.pci, d.pci);
    opened.memory = d.memory;
    opened.last_level_cache = d.last_level_cache;
    opened.multiprocessors = d.multiprocessors;
    opened.warp = d.warp;
    opened.local_share = d.local_share;
    opened.emulated = d.emulated;
    most_ranks_ = std::clamp(device_->most_ranks(), 1, protocol::max_ranks);
    opened.most_ranks = most_ranks_;
    std::size_t other = 0;
    for (const std::string& pci : device_->others_of_group())
      if (other < std::size(opened.others)) protocol::put(opened.others[other++], pci);
    protocol::put(opened.partition, d.partition);
    podium_.send(opened);
  }

  void load(protocol::Packet& packet) {
    const auto& request = packet.as<protocol::LoadProblem>();
    dismiss();
    loaded_.reset();
    reference_group = 0;
    loaded_ = load_problem(device(), request, packet.descriptors[0].get(), packet.descriptors[1].get());
    done();
  }

  void reference(protocol::Packet& packet) {
    if (!loaded_ || !loaded_->problem.python)
      throw Error("cannot add a reference in Python: no problem with one is loaded");
    const auto& request = packet.as<protocol::AddReference>();
    reference_group = request.pid;
    loaded_->evaluator->attach(std::make_unique<PythonReference>(
        PythonReference::Process{.channel = protocol::Channel(std::move(packet.descriptors[0])),
                                 .pid = request.pid,
                                 .patience = std::chrono::seconds(request.patience),
                                 .clock = std::move(packet.descriptors[1])},
        device(), loaded_->problem));
    done();
  }

  void require_devices(int ranks) {
    if (ranks > most_ranks_)
      throw Error(fmt::format("the problem has {} ranks, expected at most the {} devices from this one on",
                              ranks, most_ranks_),
                  Fault::device);
  }

  // The first rank's device is open; what is opened here stays, for other boards.
  void open_ranks(int ranks) {
    if (!device().is_whole_group()) require_devices(ranks);
    loaded_->ranks.push_back({&device(), ordinal_, nullptr, nullptr});
    for (int rank = 1; rank < ranks; ++rank) {
      if (device().is_whole_group()) {
        loaded_->ranks.push_back({&device(), ordinal_, nullptr, nullptr});
        continue;
      }
      if (static_cast<std::size_t>(rank) > others_.size()) others_.push_back(open_(ordinal_ + rank));
      loaded_->ranks.push_back(
          {others_[static_cast<std::size_t>(rank - 1)].get(), ordinal_ + rank, nullptr, nullptr});
    }
  }

  void arena(const protocol::SizeArena& request) {
    if (!loaded_) throw Error("cannot size the arena: no problem is loaded");
    dismiss();
    if (loaded_->ranks.empty()) open_ranks(loaded_->choice->ranks);  // references alone need the first
    make_arenas(
        device(), *loaded_,
        std::span(request.workloads, static_cast<std::size_t>(std::clamp(
                                         request.count, 0, static_cast<int>(std::size(request.workloads))))));
    done(static_cast<std::int64_t>(loaded_->ranks.front().arena->bytes()));
  }

  void worker(protocol::Packet& packet) {
    if (!loaded_ || loaded_->ranks.empty() || !loaded_->ranks.front().arena)
      throw Error("cannot add a worker: no arena has been sized");
    require_devices(static_cast<int>(loaded_->ranks.size()));
    const auto& request = packet.as<protocol::AddWorker>();
    const std::size_t number = slot(request.worker);
    const auto ranks = static_cast<std::int32_t>(loaded_->ranks.size());
    if (request.rank < 0 || request.rank >= ranks)
      throw Error(fmt::format("unexpected rank {}, expected 0 to {}", request.rank, ranks - 1));
    const LoadedProblem::Rank& rank = loaded_->ranks[static_cast<std::size_t>(request.rank)];
    on_turn_ = nullptr;
    worker_groups[place_of(number, request.rank)] = request.pid;
    worker_uids_[place_of(number, request.rank)] = request.uid;
    protocol::Channel channel(std::move(packet.descriptors[0]));
    auto& bench = benches_[number];
    if (request.rank > 0) {
      if (!bench) throw Error("cannot add a rank: its group has no first one");
      bench->add(*rank.device, rank.ordinal, *rank.arena, std::move(channel), request.pid);
      return done();
    }
    Bench::Shared shared{.device = device(),
                         .ordinal = ordinal_,
                         .arena = *rank.arena,
                         .kept = loaded_->kept.get(),
                         .evaluator = *loaded_->evaluator,
                         .clock = *loaded_->clock,
                         .spinner = spinner_,
                         .background = background_};
    for (const auto& one : loaded_->ranks)
      if (one.symmetric) shared.symmetric.push_back(one.symmetric.get());
    bench =
        std::make_unique<Bench>(shared, std::move(channel), request.pid,
                                request.empty == 0 ? interface_hash(loaded_->problem, *loaded_->choice) : "");
    done();
  }

  void begin(const protocol::Begin& request) {
    if (!loaded_) throw Error("cannot begin an instance: no problem is loaded");
    instance_ =
        &loaded_->workloads->of_round(request.workload, request.round, secret_, request.structure_seed);
    name_ = {loaded_->problem.name, loaded_->choice->name, instance_->workload, request.round, 0,
             request.owner};
    on_turn_ = nullptr;  // until its instance is there
    Bench* const bench = benches_[slot(request.worker)].get();
    if (!bench) throw Error("cannot begin an instance: there is no such worker");
    if (bench->verified())
      loaded_->evaluator->begin(*instance_, request.full != 0 || instance_->stage == problem::Stage::test,
                                loaded_->workloads->structure(request.workload));
    const std::int64_t scratch =
        loaded_->problem.scratch_limit > 0 ? loaded_->problem.scratch_limit : default_scratch;
    bench->begin(*instance_, scratch, draw(-1));
    on_turn_ = bench;
    protocol::Begun answer = costs_of(problem::part_of_rank(*instance_));
    answer.most_calls = bench->most_together();
    answer.constructor_microseconds = static_cast<float>(bench->constructor_microseconds());
    answer.structure_seed = loaded_->workloads->seed(request.workload);
    podium_.send(answer);
  }

  double link_rate() {
    if (!loaded_) throw Error("cannot measure the link: no problem is loaded");
    const auto& ranks = loaded_->ranks;
    if (const auto known = link_rates_.find(ranks.size()); known != link_rates_.end()) return known->second;
    double slowest = 0;
    for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
      const double rate = ranks[rank - 1].device->link_rate(*ranks[rank].device);
      slowest = slowest > 0 ? std::min(slowest, rate) : rate;
      if (device().is_whole_group()) break;
    }
    return link_rates_[ranks.size()] = slowest;
  }

  void telemetry(const protocol::Telemetry& request) {
    const device::Telemetry now = device().telemetry();
    const double energy = request.energy != 0 ? device().energy() : device::unknown;
    protocol::TelemetryIs answer{
        {}, now.sm_clock, now.memory_clock, now.temperature, now.power, energy, now.throttle, 0, {}};
    protocol::put(answer.source, device().telemetry_source());
    podium_.send(answer);
  }

  void count(const protocol::Count& request) {
    const bool begins = request.begins != 0;
    const bool counts = begins ? device().begin_counting() : true;
    const device::Counters is = begins ? device::Counters{} : device().counted();
    podium_.send(protocol::Counted{
        {}, counts, 0, is.seconds, is.sm_active, is.sm_occupancy, is.tensor_active, is.memory_bandwidth});
  }

  void sample(const protocol::Sample& request) {
    if (!instance_) throw Error("cannot take a sample: no instance has begun");
    const std::uint8_t poison = poison_of(request.index);
    const auto asked = clock::now();
    const auto answer = [&](protocol::Sampled sampled) {
      sampled.own_microseconds = microseconds(clock::now() - asked);
      podium_.send(sampled);
    };
    if (request.mode == protocol::Mode::repeated)
      return answer(bench().sample_repeated(draw(request.index), poison, request.calls));
    if (request.calls < 1 || request.calls > bench().most_together())
      throw Error(fmt::format("{} calls behind one gate were requested, expected 1 to {}", request.calls,
                              bench().most_together()));
    if (request.calls == 1)
      return answer(
          bench().sample(draw(request.index, request.seed), poison, request.waits != 0, request.mode));
    std::vector<Draw> draws;
    for (int call = 0; call < request.calls; ++call)
      draws.push_back(draw(request.index + call, call + 1 == request.calls ? request.seed : 0));
    answer(bench().sample_together(draws, poison, request.waits != 0));
  }

  void sample(const protocol::TakeSamples& request) {
    if (!instance_) throw Error("cannot take samples: no instance has begun");
    podium_.send(take_samples(bench(), request, [&](std::int64_t index) { return draw(index); }));
  }

  // The outputs are whatever memory held: only faults of the problem itself matter here.
  void rehearse(const protocol::Rehearse& request) {
    if (!loaded_) throw Error("cannot rehearse: no problem is loaded");
    if (request.repeats > most_rehearsals)
      throw Error(
          fmt::format("{} rehearsals were requested, expected at most {}", request.repeats, most_rehearsals));
    const auto& instance = loaded_->workloads->of_round(request.workload, rehearsal_round, secret_);
    const std::uint64_t seed = seed_of_rehearsal(instance);
    podium_.send(judge::rehearse(device(), *loaded_->evaluator, loaded_->problem, instance,
                                 request.full != 0 || instance.stage == problem::Stage::test, request.repeats,
                                 seed, poison_of(0)));
  }

  std::uint64_t seed_of_rehearsal(const problem::Instance& instance) const {
    return seed_of(secret_, "rehearsal", {loaded_->problem.name, loaded_->choice->name, instance.workload});
  }

  // The workload with some structure, if it is a test or so small that its sample takes milliseconds.
  std::optional<problem::Instance> to_sense(int index) {
    const problem::Problem& problem = loaded_->problem;
    if (index < 0 || static_cast<std::size_t>(index) >= problem.workloads.size())
      throw Error(fmt::format("cannot measure the sensitivity of workload {}: there are {} workloads", index,
                              problem.workloads.size()));
    const auto& workload = problem.workloads[static_cast<std::size_t>(index)];
    const bool test = workload.stage == problem::Stage::test;
    constexpr double most = 1 << 20;  // elements and terms
    auto instance = problem::instantiate(problem, *loaded_->choice, workload);
    double numbers = 0;
    for (const auto& tensor : instance.tensors) numbers += static_cast<double>(tensor.elements);
    for (const auto& structure : instance.structure) numbers += static_cast<double>(structure.elements);
    if (!test && numbers > most) return std::nullopt;
    if (!problem.structure.empty())
      instance = problem::instantiate(problem, *loaded_->choice, workload, seed_of_rehearsal(instance));
    if (!test && Evaluator::work(problem, instance) > most) return std::nullopt;
    return instance;
  }

  void sense(const protocol::Sense& request) {
    if (!loaded_) throw Error("cannot measure sensitivity: no problem is loaded");
    protocol::Sensed answer{};
    if (const auto instance = to_sense(request.workload)) {
      loaded_->evaluator->begin(*instance, instance->stage == problem::Stage::test);
      const std::uint64_t seed = seed_of_rehearsal(*instance);
      loaded_->evaluator->fill(seed);
      answer.measured = 1;
      protocol::Sensed::Output* output = answer.outputs;
      for (const Sensitivity& of : loaded_->evaluator->sense(seed, poison_of(0)))
        *output++ = {static_cast<std::int32_t>(of.kind),
                     of.zeros_pass,
                     of.all,
                     of.one,
                     of.scale_of_all,
                     of.scale_of_one,
                     of.elements,
                     of.any,
                     of.excused,
                     of.excuses_drawn,
                     of.telling};
    }
    podium_.send(answer);
  }

  void release(const protocol::Release& request) {
    const std::size_t number = slot(request.worker);
    auto& bench = benches_[number];
    if (bench) try {
        bench->leave();
      } catch (const WorkerFailure&) {  // it has gone already
      }
    if (bench.get() == on_turn_) on_turn_ = nullptr;
    bench.reset();
    for (int rank = 0; rank < protocol::max_ranks; ++rank) worker_groups[place_of(number, rank)] = 0;
    done();
  }

  // Podium has ended the workers, or is about to.
  void dismiss() {
    on_turn_ = nullptr;
    for (auto& bench : benches_) bench.reset();
  }

  static std::size_t slot(std::int32_t worker) {
    if (worker < 0 || worker >= protocol::max_workers)
      throw Error(
          fmt::format("unexpected worker number {}, expected 0 to {}", worker, protocol::max_workers - 1));
    return static_cast<std::size_t>(worker);
  }

  static std::size_t place_of(std::size_t worker, int rank) {
    return worker * protocol::max_ranks + static_cast<std::size_t>(rank);
  }

  // `seed`: of a call that is to be repeated; 0: the run's own.
  Draw draw(std::int64_t index, std::uint64_t seed = 0) {
    name_.index = index;
    const std::uint64_t call = seed != 0 ? seed : seed_of(secret_, "call", name_);
    return {seed_of(call, "inputs"), seed_of(call, "placement"), seed_of(call, "verification"), call};
  }

  protocol::Channel podium_;
  Opener open_;
  Secret secret_;
  int ordinal_ = 0;
  std::unique_ptr<device::Device> device_;
  int most_ranks_ = 1;                                   // of a group that begins with the device
  std::map<std::size_t, double> link_rates_;             // by the number of ranks, measured once
  std::vector<std::unique_ptr<device::Device>> others_;  // of further ranks, the next ones, in their order
  std::unique_ptr<Calibration> calibration_;
  std::unique_ptr<LoadedProblem> loaded_;
  IdleSpinner spinner_{processors()};
  BackgroundTask background_;
  std::array<std::unique_ptr<Bench>, protocol::max_workers> benches_;  // by the worker's number
  Bench* on_turn_ = nullptr;                                           // whose instance was begun last
  const problem::Instance* instance_ = nullptr;
  SampleName name_;
  std::array<uid_t, std::extent_v<decltype(worker_groups)>> worker_uids_{};
};

}  // namespace

int serve(int socket, Opener open) {
  signal(SIGTERM, end_workers_and_self);  // podium has ended
  prctl(PR_SET_DUMPABLE, 0);              // nobody reads this process's memory through /proc
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  Judge judge(protocol::Channel(Descriptor(socket)), open);
  try {
    judge.serve();
  } catch (const protocol::Closed&) {  // podium has ended, by itself or by force
    judge.kill_workers();
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "podium-judge: {}\n", e.what());
  }
  judge.kill_workers();
  return 1;
}

void answer_requests(protocol::Channel podium, Opener open) { Judge(std::move(podium), open).serve(); }

}  // namespace podium::judge
