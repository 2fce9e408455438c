// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/python_reference.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "suite/base/error.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/model/layout.hpp"

namespace podium::judge {
namespace {

using nlohmann::json;
using problem::Role;
using protocol::ReferenceTask;
using protocol::ReferenceVerdict;

constexpr std::size_t alignment = 256;  // of tensors in shared memory

// What a check of outputs may take: a check of the right answer took a share of it.
constexpr std::chrono::seconds least_patience{10};
constexpr int times_own_check = 20;

const std::array<const char*, 4> function_names{"inputs", "outputs", "check", "exact"};

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::chrono::seconds seconds_of(std::chrono::milliseconds time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time);
}

protocol::ReferenceAsk question(ReferenceTask task, std::uint64_t seed) {
  protocol::ReferenceAsk message{};
  message.task = task;
  message.seed = seed >> 1;  // 63 bits
  return message;
}

std::vector<std::int64_t> row_major(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t k = extents.size(); k-- > 1;) strides[k - 1] = strides[k] * extents[k];
  return strides;
}

// The reference's processes run only while the judge awaits an answer: nothing that they left running
// disturbs what is timed.
class ResumedGroup {
 public:
  explicit ResumedGroup(pid_t leader) : leader_(leader) { tell(SIGCONT); }
  ~ResumedGroup() { tell(SIGSTOP); }
  ResumedGroup(const ResumedGroup&) = delete;
  ResumedGroup& operator=(const ResumedGroup&) = delete;

 private:
  void tell(int signal) const {
    if (leader_ > 1) kill(-leader_, signal);
  }
  pid_t leader_;
};

// A file that nobody can shrink under the judge's feet.
Descriptor shared_file(const char* name, std::size_t bytes) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    throw Error(fmt::format("no memory to share with the reference: {}", std::strerror(errno)));
  return file;
}

// FNV-1a, of words.
std::uint64_t digest(std::uint64_t hash, const std::byte* data, std::size_t bytes) {
  constexpr std::uint64_t prime = 0x100000001b3;
  for (std::size_t k = 0; k < bytes; k += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + k, std::min(sizeof word, bytes - k));
    hash = (hash ^ word) * prime;
  }
  return hash;
}

}  // namespace

PythonReference::PythonReference(Process process, device::Device& device, const problem::Problem& problem)
    : process_(std::move(process)), device_(device), problem_(problem) {
  void* const page = mmap(nullptr, sizeof(protocol::ReferenceClock), PROT_READ | PROT_WRITE, MAP_SHARED,
                          process_.clock.get(), 0);
  if (page == MAP_FAILED)
    throw Error(fmt::format("the reference's clock cannot be mapped: {}", std::strerror(errno)));
  clock_ = static_cast<protocol::ReferenceClock*>(page);
  functions_ = tell(protocol::ReferenceLoad{}, "when it was executed").functions;
  for (const problem::Tensor& tensor : problem_.tensors) {
    const bool held = std::ranges::any_of(problem_.references, [&](const auto& reference) {
      return reference.output && reference.name == tensor.name;
    });
    if (tensor.role != Role::input && !held && !has(check))
      throw Error(
          fmt::format("{}:{}: tensors.{}: found no tolerance, and {} has no check(), expected one of them",
                      tensor.at.file, tensor.at.line, tensor.name, problem_.python->file));
  }
}

PythonReference::~PythonReference() {
  if (memory_) munmap(memory_, bytes_);
  if (clock_) munmap(clock_, sizeof *clock_);
}

std::string PythonReference::shown(const std::string& sentence) const {
  return (problem_.file.parent_path() / sentence).string();
}

void PythonReference::fail(const std::string& sentence) {
  process_.channel.close();  // it is out of step, or at fault: nobody asks it again
  throw Error(shown(sentence));
}

template <class M>
protocol::ReferenceAnswer PythonReference::answer_to(const M& message, std::chrono::milliseconds patience,
                                                     std::span<const int> descriptors) {
  if (!process_.channel) fail(fmt::format("{}: its process has ended", problem_.python->file));
  const auto began = now();
  clock_->since.store(began);
  struct Settle {
    protocol::ReferenceClock& clock;
    std::int64_t began;
    ~Settle() {
      clock.spent.fetch_add(now() - began);
      clock.since.store(0);
    }
  };
  const Settle settle{*clock_, began};
  const ResumedGroup resumed(process_.pid);
  try {
    process_.channel.send(message, descriptors);
    const auto packet = process_.channel.receive(static_cast<int>(patience.count()));
    if (!packet) throw NoAnswer{"", false};
    const auto& answer = packet->as<protocol::ReferenceAnswer>();
    if (answer.verdict == ReferenceVerdict::failed) fail(protocol::get(answer.text));
    return answer;
  } catch (const protocol::Closed&) {
    throw NoAnswer{"its process ended", true};
  } catch (const protocol::Malformed& e) {
    throw NoAnswer{fmt::format("its process broke the protocol, {},", e.what()), true};
  }
}

// For what no outputs of a contestant have led to.
template <class M>
protocol::ReferenceAnswer PythonReference::tell(const M& message, const std::string& what,
                                                std::span<const int> descriptors) {
  try {
    return answer_to(message, process_.patience, descriptors);
  } catch (const NoAnswer& none) {
    const std::string why =
        none.in_time ? none.what : fmt::format("no answer in {} s", seconds_of(process_.patience).count());
    fail(fmt::format("{}: {} {}", problem_.python->file, why, what));
  }
}

protocol::ReferenceAnswer PythonReference::ask(ReferenceTask task, std::uint64_t seed) {
  const char* const function = function_names[task == ReferenceTask::inputs  ? inputs
                                              : task == ReferenceTask::exact ? exact
                                              : has(check)                   ? check
                                                                             : outputs];
  return tell(question(task, seed), fmt::format("in {}()", function));
}

// It is known for a reference that has checked its own answer. Without one outputs may take as long as all
// else.
std::chrono::milliseconds PythonReference::patience_of_check(const ProgramRunner& runner) const {
  const auto own = own_checks_.find(runner.instance().workload);
  if (own == own_checks_.end()) return process_.patience;
  return std::min<std::chrono::milliseconds>(process_.patience,
                                             least_patience + times_own_check * own->second);
}

PythonReference::Said PythonReference::check_outputs(const ProgramRunner& runner, std::uint64_t seed) {
  const auto patience = patience_of_check(runner);
  try {
    const auto answer = answer_to(question(ReferenceTask::verify, seed), patience);
    const bool right = answer.verdict == ReferenceVerdict::right;
    return {.right = right,
            .judged = answer.verdict != ReferenceVerdict::raised,
            .text = right ? "" : protocol::get(answer.text)};
  } catch (const NoAnswer& none) {
    return given_up(none, patience);
  }
}

PythonReference::Said PythonReference::given_up(const NoAnswer& none, std::chrono::milliseconds patience) {
  process_.channel.close();
  if (process_.pid > 1 && !none.in_time) kill(-process_.pid, SIGKILL);
  over_ = true;
  clock_->over.store(none.in_time ? 1 : 2);
  const std::string why = none.in_time
                              ? none.what + " in check()"
                              : fmt::format("no answer in {} s in check()", seconds_of(patience).count());
  return {.right = false,
          .judged = proves_itself(),
          .text = fmt::format("{}: {}, on these outputs", problem_.python->file, why)};
}

// Where each tensor lies in shared memory, and what the process is told of the workload.
std::string PythonReference::lay_out(const ProgramRunner& runner, std::size_t& bytes) {
  const problem::Instance& instance = runner.instance();
  bytes = 0;
  const auto take = [&bytes](std::int64_t wanted) {
    const auto at = static_cast<std::int64_t>(bytes);
    bytes += (static_cast<std::size_t>(wanted) + alignment - 1) / alignment * alignment;
    return at;
  };
  const auto place = [](std::int64_t at) { return at < 0 ? json(nullptr) : json(at); };
  json described{{"tensors", json::array()}, {"answers", json::object()}, {"structure", json::array()}};
  places_.clear();
  draws_ = false;
  for (std::size_t t = 0; t < instance.tensors.size(); ++t) {
    const auto& tensor = instance.tensors[t];
    const problem::View view = problem::view_of(tensor);
    Place& at = places_.emplace_back();
    json one{{"name", tensor.name},
             {"dtype", problem::info(tensor.dtype).name},
             {"shape", view.extents},
             {"strides", view.strides}};
    if (const std::string& output = problem_.tensors[t].answers; !output.empty()) {
      if (has(check)) continue;
      at.before = take(tensor.bytes);
      one["name"] = output;
      one["offset"] = at.before;
      described["answers"][output] = one;
      continue;
    }
    if (tensor.role != Role::output) at.before = take(tensor.bytes);
    if (tensor.role != Role::input) at.after = take(tensor.bytes);
    const bool drawn = tensor.role != Role::output && tensor.fill == problem::Fill::Kind::python;
    draws_ = draws_ || drawn;
    one["before"] = place(at.before);
    one["after"] = place(at.after);
    one["drawn"] = drawn;
    one["packed"] = view.extents != tensor.extents;
    described["tensors"].push_back(one);
  }
  structure_.clear();
  for (const auto& structure : instance.structure) {
    auto extents = structure.extents;
    if (!extents.empty()) extents[0] = structure.used;
    structure_.push_back(take(structure.bytes));
    described["structure"].push_back({{"name", structure.name},
                                      {"dtype", problem::info(structure.dtype).name},
                                      {"shape", extents},
                                      {"strides", row_major(extents)},
                                      {"offset", structure_.back()}});
  }
  json& workload = described["workload"] = {{"name", instance.workload},
                                            {"numbers", problem::numbers_of(problem_, instance)},
                                            {"types", json::object()}};
  for (std::size_t t = 0; t < instance.tensors.size(); ++t)
    if (!problem::dtype_named(problem_.tensors[t].type))
      workload["types"][problem_.tensors[t].type] = problem::info(instance.tensors[t].dtype).name;
  return described.dump();
}

// For as many bytes, at least; what it held is lost where it grows.
void PythonReference::share(std::size_t bytes) {
  if (bytes <= bytes_) return;
  if (memory_) munmap(std::exchange(memory_, nullptr), std::exchange(bytes_, 0));
  file_ = shared_file("podium-reference", bytes);
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED)
    throw Error(fmt::format("memory shared with the reference cannot be mapped: {}", std::strerror(errno)));
  memory_ = static_cast<std::byte*>(at);
  bytes_ = bytes;
}

void PythonReference::expect_functions(const problem::Instance& instance) const {
  if (!draws_ || has(inputs)) return;
  std::vector<std::string> drawn;
  for (std::size_t t = 0; t < instance.tensors.size(); ++t)
    if (instance.tensors[t].role != Role::output && problem_.tensors[t].answers.empty() &&
        instance.tensors[t].fill == problem::Fill::Kind::python)
      drawn.push_back(instance.tensors[t].name);
  throw Error(shown(fmt::format("{}: found no inputs(), expected it to draw {}: they have no fill",
                                problem_.python->file, fmt::join(drawn, ", "))));
}

void PythonReference::begin(const ProgramRunner& runner) {
  std::size_t bytes = 0;
  const std::string description = lay_out(runner, bytes);
  expect_functions(runner.instance());
  share(std::max(bytes, alignment));
  const auto& structure = runner.instance().structure;
  for (std::size_t s = 0; s < structure.size(); ++s) structure[s].pack(memory_ + structure_[s]);
  shows_inputs_ = false;
  const Descriptor text = shared_file("podium-workload", description.size());
  if (pwrite(text.get(), description.data(), description.size(), 0) !=
      static_cast<ssize_t>(description.size()))
    throw Error(fmt::format("the reference cannot be told its workload: {}", std::strerror(errno)));
  protocol::ReferenceBegin message{};
  message.memory_bytes = bytes_;
  message.description_bytes = description.size();
  const int descriptors[] = {file_.get(), text.get()};
  tell(message, "when a workload began", descriptors);
}

void PythonReference::fill(ProgramRunner& runner, std::uint64_t seed) {
  shows_inputs_ = false;
  if (!draws_) return;
  ask(ReferenceTask::inputs, seed);
  const auto& tensors = runner.instance().tensors;
  for (std::size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t].role != Role::output && problem_.tensors[t].answers.empty() && tensors[t].bytes > 0 &&
        tensors[t].fill == problem::Fill::Kind::python)
      device_.copy(runner.initial(t), memory_ + places_[t].before,
                   static_cast<std::size_t>(tensors[t].bytes));
  device_.synchronise();
}

// Those that the judge has filled.
void PythonReference::put_inputs(const ProgramRunner& runner) {
  if (std::exchange(shows_inputs_, true)) return;
  const auto& tensors = runner.instance().tensors;
  for (std::size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t].role != Role::output && problem_.tensors[t].answers.empty() && tensors[t].bytes > 0 &&
        tensors[t].fill != problem::Fill::Kind::python)
      device_.copy(memory_ + places_[t].before, runner.initial(t),
                   static_cast<std::size_t>(tensors[t].bytes));
}

PythonReference::Said PythonReference::verify(ProgramRunner& runner, std::uint64_t seed, bool exact) {
  put_inputs(runner);
  const auto& tensors = runner.instance().tensors;
  for (std::size_t t = 0; t < tensors.size(); ++t)
    if (places_[t].after >= 0 && tensors[t].bytes > 0)
      device_.copy(memory_ + places_[t].after, runner.tensor(t), static_cast<std::size_t>(tensors[t].bytes));
  device_.synchronise();
  Said said;
  if (has(check)) {
    said = check_outputs(runner, seed);
  } else {
    ask(ReferenceTask::verify, seed);
    for (std::size_t t = 0; t < tensors.size(); ++t)
      if (!problem_.tensors[t].answers.empty() && tensors[t].bytes > 0)
        device_.copy(runner.tensor(t), memory_ + places_[t].before,
                     static_cast<std::size_t>(tensors[t].bytes));
    device_.synchronise();
  }
  if (!said.right || !exact || !has(Function::exact)) return said;
  const auto answer = ask(ReferenceTask::exact, seed);
  said.text = protocol::get(answer.note);
  said.exact = answer.exact >= 0 ? answer.exact : device::unknown;
  return said;
}

std::uint64_t PythonReference::digest_of_inputs(ProgramRunner& runner, std::uint64_t seed) {
  fill(runner, seed);
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto& tensors = runner.instance().tensors;
  for (std::size_t t = 0; t < tensors.size(); ++t)
    if (tensors[t].role != Role::output && problem_.tensors[t].answers.empty() &&
        tensors[t].fill == problem::Fill::Kind::python)
      hash = digest(hash, memory_ + places_[t].before, static_cast<std::size_t>(tensors[t].bytes));
  return hash;
}

void PythonReference::prove(ProgramRunner& runner, std::uint64_t seed) {
  constexpr int other_seeds = 64;  // a single truth value is the same from one of two
  const auto& tensors = runner.instance().tensors;
  const bool some = std::ranges::any_of(tensors, [](const auto& tensor) {
    return tensor.fill == problem::Fill::Kind::python && tensor.role != Role::output && tensor.bytes > 0;
  });
  if (draws_ && some) {
    const std::uint64_t other = digest_of_inputs(runner, seed + 2);
    const std::uint64_t first = digest_of_inputs(runner, seed);
    if (digest_of_inputs(runner, seed) != first)
      fail(fmt::format("{}: inputs() drew different inputs from one seed, expected the seed to decide alone",
                       problem_.python->file));
    bool varies = other != first;
    for (int k = 2; !varies && k < other_seeds; ++k)
      varies = digest_of_inputs(runner, seed + 2 * static_cast<std::uint64_t>(k)) != first;
    if (!varies)
      fail(fmt::format("{}: inputs() drew the same inputs from {} seeds, expected others from each",
                       problem_.python->file, other_seeds));
    fill(runner, seed);
  }
  put_inputs(runner);
  device_.synchronise();
  const auto began = now();
  ask(ReferenceTask::prove, seed);
  if (proves_itself())
    own_checks_[runner.instance().workload] = std::chrono::milliseconds((now() - began) / 1'000'000);
}

}  // namespace podium::judge
