// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/worker/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "suite/base/error.hpp"

namespace podium::worker {

Structure::Structure(const protocol::Structures& structures, int file, std::byte* arena)
    : bytes_(static_cast<std::size_t>(structures.host_bytes)) {
  void* at = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
  if (at == MAP_FAILED) throw Error(fmt::format("the structure cannot be mapped: {}", std::strerror(errno)));
  host_ = at;
  constexpr std::size_t most = protocol::max_rank;
  const auto count = static_cast<std::size_t>(structures.count);
  numbers_.resize(2 * most * count);
  for (std::size_t s = 0; s < count; ++s) {
    const auto& layout = structures.structures[s];
    std::int64_t* const extents = numbers_.data() + 2 * most * s;
    std::int64_t* const strides = extents + most;
    std::int64_t stride = 1;
    for (auto axis = static_cast<std::size_t>(layout.rank); axis-- > 0; stride *= extents[axis]) {
      extents[axis] = layout.extents[axis];
      strides[axis] = stride;
    }
    tensors_.push_back(
        {arena + layout.offset, static_cast<std::byte*>(host_) + layout.host_offset, extents, strides});
  }
}

Structure::~Structure() {
  if (host_) munmap(host_, bytes_);
}

Structure::Structure(Structure&& other) noexcept { *this = std::move(other); }

Structure& Structure::operator=(Structure&& other) noexcept {
  std::swap(host_, other.host_);
  std::swap(bytes_, other.bytes_);
  std::swap(numbers_, other.numbers_);
  std::swap(tensors_, other.tensors_);
  return *this;
}

using protocol::Verdict;

namespace {

const plugin::Table& table_in(int descriptor) {
  // By descriptor: the cache may lie where this user cannot look. Never closed: its threads may still run in
  // it.
  void* const library = dlopen(fmt::format("/proc/self/fd/{}", descriptor).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Failure(Verdict::unsupported, fmt::format("the plugin cannot be loaded: {}", dlerror()));
  const auto entry = reinterpret_cast<plugin::Entry>(dlsym(library, plugin::entry));
  if (!entry) throw Failure(Verdict::threw, fmt::format("the plugin does not export {}", plugin::entry));
  return *entry();
}

}  // namespace

Plugin::Plugin(int descriptor, const std::string& hash) : Plugin(table_in(descriptor), hash) {}

Plugin::Plugin(const plugin::Table& table, const std::string& hash) : table_(&table) {
  if (table_->abi != plugin::abi || table_->bytes != static_cast<std::int32_t>(sizeof(plugin::Table)))
    throw Failure(Verdict::threw, fmt::format("the plugin has ABI {}, this Podium has {}; run `podium build`",
                                              table_->abi, plugin::abi));
  if (table_->hash != hash)
    throw Failure(Verdict::threw,
                  fmt::format("the plugin was built for interface {}, the problem has {}; run `podium build`",
                              table_->hash, hash));
}

void Plugin::expect(std::int32_t result) const {
  if (result == plugin::well) return;
  throw Failure(result == plugin::unsupported ? Verdict::unsupported
                : result == plugin::missing   ? Verdict::missing_library
                                              : Verdict::threw,
                table_->message());
}

void* Plugin::allocate(void* owner, wire::Memory kind, std::uint64_t bytes) {
  return static_cast<device::Lane*>(owner)->allocate(kind == wire::Memory::pinned, bytes);
}

void Plugin::show(const protocol::Structures& structures, int file, device::Lane& lane) {
  structure_ = Structure(structures, file, lane.arena());
}

void Plugin::create(const protocol::Create& create, device::Lane& lane) {
  workload_ = create;
  workload_.workload[sizeof workload_.workload - 1] = 0;
  axes_.assign(create.axes, create.axes + create.axis_count);
  axes_.insert(axes_.end(), team_.begin(), team_.end());
  if (!table_) return;
  services_ = {&lane, &Plugin::allocate, static_cast<std::uint64_t>(create.scratch_limit)};
  expect(table_->create(workload(), services_, lane.stream(), &self_));
  lane.synchronise();  // what the constructor enqueued is waited for
}

void Plugin::bind(const protocol::Arm& arm, device::Lane& lane) {
  if (!table_) return;
  unbind();
  for (int call = 0; call < arm.calls; ++call) {
    std::array<wire::Tensor, protocol::max_tensors> tensors{};
    for (int t = 0; t < workload_.tensor_count; ++t) {
      const auto& layout = workload_.tensors[t];
      tensors[static_cast<std::size_t>(t)] = {lane.arena() + arm.offsets[call][t], nullptr, layout.extents,
                                              layout.strides};
    }
    void* bound = nullptr;
    expect(table_->bind(workload(), tensors.data(), &bound));
    bound_.push_back(bound);
  }
}

void Plugin::unbind() {
  const auto before = std::exchange(bound_, {});
  for (void* bound : before) expect(table_->destroy(nullptr, &bound, 1));
}

void Plugin::run(device::Lane& lane) {
  if (!table_) return;
  for (const void* bound : bound_) expect(table_->run(self_, bound, lane.stream()));
}

void Plugin::destroy() {
  if (!table_) return;
  const auto result = table_->destroy(self_, bound_.data(), static_cast<std::int32_t>(bound_.size()));
  self_ = nullptr;
  bound_.clear();
  expect(result);
}

}  // namespace podium::worker
