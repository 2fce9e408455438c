// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/judge.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "suite/base/user.hpp"
#include "suite/judge/bench.hpp"
#include "suite/judge/rehearsal.hpp"
#include "suite/problem/generate.hpp"

namespace podium::judge {
namespace {

using protocol::Verdict;

// Alternating: what is right by accident under one is wrong under the other. All ones is a NaN in every
// float.
constexpr std::uint8_t poisons[] = {0xFF, 0xA5};

constexpr std::int64_t rehearsal_round = -2;  // rounds count from 0; -1 is verification

// What a call of 0.2 ms, the longest for which it matters, moves on the fastest memory of today, and more.
constexpr std::int64_t most_arena_together = std::int64_t{2} << 30;  // bytes

constexpr std::int64_t default_scratch = std::int64_t{1}
                                         << 30;  // bytes, where `requires.scratch` says nothing

std::string read_all(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) throw Error("the problem's descriptor cannot be read");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t got = pread(descriptor, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (got <= 0) throw Error("the problem's descriptor cannot be read");
    at += static_cast<std::size_t>(got);
  }
  return text;
}

// A problem loaded, one choice of types, and what was made for it.
struct Board {
  problem::Problem problem;
  const problem::Choice* choice = nullptr;
  std::unique_ptr<device::Program> program;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<device::Arena> arena;
  std::map<int, problem::Instance> instances;  // by the workload's index; addresses are stable
  std::map<int, std::int64_t> rounds;          // whose structure an instance has; absent: none yet
};

volatile pid_t worker_group = 0;  // of the worker that there is now; the handler of signals needs it, too

void end_worker_and_self(int) {
  if (worker_group > 1) kill(-worker_group, SIGKILL);
  _exit(0);
}

class Judge {
 public:
  Judge(protocol::Channel podium, Opener open)
      : podium_(std::move(podium)), open_(open), secret_(draw_secret()) {}

  void serve() {
    for (;;) answer(std::move(*podium_.receive()));
  }

  void kill_worker() const {
    if (worker_group > 0) kill_all_of(worker_group, worker_uid_);
  }

 private:
  void answer(protocol::Packet packet) {
    try {
      dispatch(packet);
    } catch (const WorkerFailure& e) {
      refuse(e.verdict(), Exit::contestant, e.what());
    } catch (const protocol::Closed&) {
      throw;
    } catch (const Error& e) {
      refuse(Verdict::problem_fault, e.exit(), e.what());
    }
  }

  void dispatch(protocol::Packet& packet) {
    switch (packet.type()) {
      case protocol::Type::open:
        return open(packet.as<protocol::Open>());
      case protocol::Type::problem:
        return load(packet);
      case protocol::Type::board:
        return board(packet.as<protocol::Board>());
      case protocol::Type::worker:
        return worker(packet);
      case protocol::Type::begin:
        return begin(packet.as<protocol::Begin>());
      case protocol::Type::sample:
        return sample(packet.as<protocol::Sample>());
      case protocol::Type::end:
        bench().end();
        return done();
      case protocol::Type::release:
        return release();
      case protocol::Type::rehearse:
        return rehearse(packet.as<protocol::Rehearse>());
      case protocol::Type::calibrate:
        return podium_.send(protocol::Calibrated{{}, device().copy_rate()});
      case protocol::Type::seeds:
        return podium_.send(protocol::SeedsAre{{}, {secret_[0], secret_[1]}});
      default:
        throw protocol::Malformed(
            fmt::format("message {} is none that a judge answers", static_cast<int>(packet.type())));
    }
  }

  void done(std::int64_t number = 0) { podium_.send(protocol::Done{{}, number}); }

  void refuse(Verdict verdict, Exit exit, const std::string& text) {
    protocol::Refused refused{};
    refused.verdict = verdict;
    refused.exit_status = static_cast<int>(exit);
    protocol::put(refused.text, text);
    podium_.send(refused);
  }

  device::Device& device() {
    if (!device_) throw Error("the judge was asked for work before it opened a device");
    return *device_;
  }
  Bench& bench() {
    if (!bench_) throw Error("the judge was asked for a sample without a worker");
    return *bench_;
  }

  void open(const protocol::Open& request) {
    ordinal_ = request.device;
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
    podium_.send(opened);
  }

  void load(protocol::Packet& packet) {
    const auto& request = packet.as<protocol::LoadProblem>();
    bench_.reset();
    board_.reset();
    auto board = std::make_unique<Board>();
    board->problem = problem::parse(protocol::get(request.name), read_all(packet.descriptors[0].get()),
                                    protocol::get(request.file));
    board->choice = &board->problem.choices.at(static_cast<std::size_t>(request.choice));
    board->program = device().load(packet.descriptors[1].get());
    board->evaluator = std::make_unique<Evaluator>(device(), *board->program, board->problem, *board->choice);
    board_ = std::move(board);
    done();
  }

  void board(const protocol::Board& request) {
    if (!board_) throw Error("the judge was asked for a board without a problem");
    bench_.reset();
    board_->rounds.clear();
    std::int64_t bytes = 0, together = 0;
    const problem::Workload* largest = nullptr;
    for (int i = 0; i < std::clamp(request.count, 0, static_cast<int>(std::size(request.workloads))); ++i) {
      const int index = request.workloads[i];
      const auto& workload = board_->problem.workloads.at(static_cast<std::size_t>(index));
      const auto& instance =
          board_->instances.insert_or_assign(index, instantiate(board_->problem, *board_->choice, workload))
              .first->second;
      // Room for short calls several at a time, too: short ones have small tensors.
      const std::int64_t room = std::min(most_arena_together, device().description().memory / 16);
      const int calls = calls_within(instance, room, protocol::most_together);
      together = std::max(together, arena_bytes(instance, calls));
      if (arena_bytes(instance) <= bytes) continue;
      bytes = arena_bytes(instance);
      largest = &workload;
    }
    if (!board_->arena || static_cast<std::int64_t>(board_->arena->bytes()) < together) try {
        board_->arena.reset();
        board_->arena = share(together, bytes);
      } catch (const Error& e) {
        throw Error(fmt::format("{}:{}: the tensors of workload {} do not fit this device: {}",
                                largest->at.file, largest->at.line, largest->name, e.what()));
      }
    done(static_cast<std::int64_t>(board_->arena->bytes()));
  }

  // An arena of `wanted` bytes, or where the device has not that much, of the `needed`.
  std::unique_ptr<device::Arena> share(std::int64_t wanted, std::int64_t needed) {
    if (wanted > needed) try {
        return device().share(static_cast<std::size_t>(wanted));
      } catch (const Error&) {  // what is needed may still fit
      }
    return device().share(static_cast<std::size_t>(needed));
  }

  void worker(protocol::Packet& packet) {
    if (!board_ || !board_->arena) throw Error("the judge was given a worker without a board");
    const auto& request = packet.as<protocol::Worker>();
    bench_.reset();
    worker_group = request.pid;
    worker_uid_ = request.uid;
    verified_ = request.empty == 0;
    bench_ = std::make_unique<Bench>(
        device(), *board_->arena, *board_->evaluator, protocol::Channel(std::move(packet.descriptors[0])),
        request.pid, ordinal_, verified_ ? interface_hash(board_->problem, *board_->choice) : "");
    done();
  }

  // The instance of a workload, with the structure of the round: the same for all contestants, whatever their
  // own seeds.
  const problem::Instance& instance_of(int workload, std::int64_t round) {
    problem::Instance& instance = board_->instances.at(workload);
    if (board_->problem.structure.empty()) return instance;
    const auto known = board_->rounds.find(workload);
    if (known != board_->rounds.end() && known->second == round) return instance;
    board_->rounds.erase(workload);
    const auto& stated = board_->problem.workloads.at(static_cast<std::size_t>(workload));
    const std::uint64_t seed =
        seed_of(secret_, "structure", {board_->problem.name, board_->choice->name, stated.name, round});
    instance = instantiate(board_->problem, *board_->choice, stated, seed);
    board_->rounds[workload] = round;
    return instance;
  }

  void begin(const protocol::Begin& request) {
    instance_ = &instance_of(request.workload, request.round);
    name_ = {board_->problem.name, board_->choice->name, instance_->workload, request.round, 0,
             request.owner};
    if (verified_)
      board_->evaluator->begin(*instance_, request.full != 0 || instance_->stage == problem::Stage::test);
    const std::int64_t scratch =
        board_->problem.scratch_limit > 0 ? board_->problem.scratch_limit : default_scratch;
    bench().begin(*instance_, scratch, draw(-1));
    protocol::Begun answer = begun(*instance_);
    answer.most_calls = bench().most_together();
    podium_.send(answer);
  }

  static protocol::Begun begun(const problem::Instance& instance) {
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

  void sample(const protocol::Sample& request) {
    if (!instance_) throw Error("the judge was asked for a sample before an instance was begun");
    if (request.calls < 1 || request.calls > bench().most_together())
      throw Error(fmt::format("{} calls behind one gate were asked for, expected 1 to {}", request.calls,
                              bench().most_together()));
    const std::uint8_t poison = poisons[static_cast<std::size_t>(request.index) % std::size(poisons)];
    if (request.calls == 1)
      return podium_.send(bench().sample(draw(request.index), poison, request.waits != 0, request.mode));
    std::vector<Bench::Draw> draws;
    for (int call = 0; call < request.calls; ++call) draws.push_back(draw(request.index + call));
    podium_.send(bench().sample_together(draws, poison, request.waits != 0));
  }

  // The outputs are whatever memory held: only faults of the problem itself matter here.
  void rehearse(const protocol::Rehearse& request) {
    const auto& instance = instance_of(request.workload, rehearsal_round);
    const std::uint64_t seed =
        seed_of(secret_, "rehearsal", {board_->problem.name, board_->choice->name, instance.workload});
    podium_.send(judge::rehearse(device(), *board_->evaluator, board_->problem, instance,
                                 request.full != 0 || instance.stage == problem::Stage::test, request.repeats,
                                 seed, poisons[0]));
  }

  void release() {
    if (bench_) try {
        bench_->leave();
      } catch (const WorkerFailure&) {  // it has gone already
      }
    bench_.reset();
    worker_group = 0;
    done();
  }

  Bench::Draw draw(std::int64_t index) {
    name_.index = index;
    return {seed_of(secret_, "inputs", name_), seed_of(secret_, "placement", name_),
            seed_of(secret_, "verification", name_)};
  }

  protocol::Channel podium_;
  Opener open_;
  Secret secret_;
  int ordinal_ = 0;
  std::unique_ptr<device::Device> device_;
  std::unique_ptr<Board> board_;
  std::unique_ptr<Bench> bench_;
  const problem::Instance* instance_ = nullptr;
  SampleName name_;
  uid_t worker_uid_ = 0;
  bool verified_ = true;
};

}  // namespace

int serve(int socket, Opener open) {
  signal(SIGTERM, end_worker_and_self);  // podium has ended
  prctl(PR_SET_DUMPABLE, 0);             // nobody reads this process's memory through /proc
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  Judge judge(protocol::Channel(Descriptor(socket)), open);
  try {
    judge.serve();
  } catch (const protocol::Closed&) {  // podium has ended, by itself or by force
    judge.kill_worker();
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "podium-judge: {}\n", e.what());
  }
  judge.kill_worker();
  return 1;
}

}  // namespace podium::judge
