// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/worker/sealed.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "suite/worker/plugin.hpp"

namespace podium::worker {
namespace {

using protocol::SealedProgram;
using protocol::Verdict;

// The beginning of the file, or all of it.
std::string contents(int descriptor, std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t done = 0;
  while (done < most) {
    const auto count = pread(descriptor, bytes.data() + done, most - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw Failure(Verdict::threw, fmt::format("the contestant cannot be read: {}", std::strerror(errno)));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace

std::unique_ptr<Contestant> load_contestant(int descriptor, const std::string& hash) {
  constexpr std::size_t beginning = 64;  // bytes: tells the two apart
  if (!protocol::is_sealed_program(contents(descriptor, beginning)))
    return std::make_unique<Plugin>(descriptor, hash);
  struct stat status{};
  if (fstat(descriptor, &status) != 0)
    throw Failure(Verdict::threw, fmt::format("the contestant cannot be read: {}", std::strerror(errno)));
  return std::make_unique<Sealed>(contents(descriptor, static_cast<std::size_t>(status.st_size)), hash);
}

void Sealed::join(std::span<const std::int64_t>) {
  throw Failure(Verdict::unsupported,
                "a launch list knows nothing of other ranks, expected a contestant with host code");
}

Sealed::Sealed(const std::string& bytes, const std::string& hash) {
  try {
    program_ = protocol::unpack(bytes);
  } catch (const Error& e) {
    throw Failure(Verdict::threw, e.what());
  }
  if (program_.hash != hash)
    throw Failure(
        Verdict::threw,
        fmt::format("the launch list was built for interface {}, the problem has {}; run `podium build`",
                    program_.hash, hash));
}

void Sealed::show(const protocol::Structures& structures, int, device::Lane& lane) {
  structure_.clear();
  for (std::int32_t s = 0; s < structures.count; ++s)
    structure_.push_back(lane.arena() + structures.structures[s].offset);
}

void Sealed::create(const protocol::Create& create, device::Lane& lane) {
  list_ = program_.find({create.axes, create.axes + create.axis_count},
                        {create.parameters, create.parameters + create.parameter_count});
  if (!list_)
    throw Failure(Verdict::threw,
                  "the launch list has no workload with these axes and parameters; run `podium build`");
  tensors_ = create.tensor_count;
  kernels_.assign(program_.code.size(), nullptr);
  allocate(*list_, static_cast<std::uint64_t>(create.scratch_limit), lane);
  std::vector<Ready> prepare;
  for (const auto& launch : list_->prepare) prepare.push_back(ready(launch, nullptr, lane));
  enqueue(prepare);
  // Kernels are loaded and found now, not in the timed call.
  for (const auto& launch : list_->launches)
    if (auto& kernels = kernels_[static_cast<std::size_t>(launch.code)]; !kernels)
      kernels = &lane.load(program_.code[static_cast<std::size_t>(launch.code)]);
  lane.synchronise();
}

void Sealed::allocate(const SealedProgram::List& list, std::uint64_t limit, device::Lane& lane) {
  scratch_.clear();
  std::uint64_t left = limit;
  for (const auto bytes : list.scratch) {
    if (bytes > left)
      throw Failure(
          Verdict::threw,
          fmt::format("scratch of {} bytes exceeds the {} bytes left of {} that this problem allows", bytes,
                      left, limit));
    left -= bytes;
    void* const at = lane.allocate(false, static_cast<std::size_t>(bytes));
    if (!at)
      throw Failure(
          Verdict::threw,
          fmt::format("no memory left for {} bytes of scratch, though the problem allows them", bytes));
    scratch_.push_back(at);
  }
}

Sealed::Ready Sealed::ready(const Launch& launch, const std::int64_t* offsets, device::Lane& lane) {
  auto& kernels = kernels_[static_cast<std::size_t>(launch.code)];
  if (!kernels) kernels = &lane.load(program_.code[static_cast<std::size_t>(launch.code)]);
  Ready result{.kernels = kernels,
               .shape = {.grid = launch.grid, .block = launch.block, .shared = launch.shared}};
  result.kernel = kernels->find(launch.kernel, result.shape);
  const auto address = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at); };
  for (const auto& argument : launch.arguments) {
    const auto index = static_cast<std::size_t>(argument.index);
    std::uint64_t value = argument.bits;
    if (argument.kind == SealedProgram::Argument::Kind::tensor) {
      if (!offsets || argument.index >= tensors_)
        throw Failure(Verdict::threw,
                      "the launch list names a tensor that does not exist; run `podium build`");
      value = address(lane.arena() + offsets[index]);
    } else if (argument.kind == SealedProgram::Argument::Kind::structure) {
      if (index >= structure_.size())
        throw Failure(Verdict::threw,
                      "the launch list names structure that does not exist; run `podium build`");
      value = address(structure_[index]);
    } else if (argument.kind == SealedProgram::Argument::Kind::scratch) {
      value = address(scratch_.at(index));
    }
    result.values.push_back(value);
  }
  for (auto& value : result.values) result.arguments.push_back(&value);
  return result;
}

void Sealed::bind(const protocol::Arm& arm, device::Lane& lane) {
  bound_.clear();
  for (std::int32_t call = 0; call < arm.calls; ++call) {
    auto& launches = bound_.emplace_back();
    for (const auto& launch : list_->launches) launches.push_back(ready(launch, arm.offsets[call], lane));
  }
}

void Sealed::enqueue(std::vector<Ready>& launches) {
  for (auto& launch : launches) launch.kernels->launch(launch.kernel, launch.shape, launch.arguments.data());
}

void Sealed::run(device::Lane&) {
  for (auto& launches : bound_) enqueue(launches);
}

void Sealed::destroy() {  // what the lane gave, it takes back itself
  bound_.clear();
  kernels_.clear();
  scratch_.clear();
  list_ = nullptr;
}

}  // namespace podium::worker
