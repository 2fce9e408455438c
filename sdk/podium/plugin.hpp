// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The plugin's edge: its one exported symbol. The stub that `podium build` writes includes it after the
// contestant's source; authors never see it.
#pragma once
#include <podium/startup.hpp>
#include <podium/wire.hpp>

#include <cstdio>
#include <exception>
#include <type_traits>

namespace podium::plugin {

inline char message[1024] = "";  // one worker, one thread that calls

inline std::int32_t keep(Result result, const char* text) {
  std::snprintf(message, sizeof message, "%s", text);
  return result;
}

// Runs `action`; nothing is thrown across the library's edge.
template <class Action>
std::int32_t guarded(Action action) {
  try {
    action();
    return well;
  } catch (const Unsupported& error) {
    return keep(unsupported, error.what());
  } catch (const std::exception& error) {
    return keep(failed, error.what());
  } catch (...) {
    return keep(failed, "an exception that is not a std::exception");
  }
}

template <class Type = Stream>
Type stream_of(void* native) {
  if constexpr (std::is_pointer_v<Type>)
    return static_cast<Type>(native);
  else
    return {};
}

template <class C>
C make(const problem::Workload& workload, Workspace& workspace, Stream stream) {
  if constexpr (std::is_constructible_v<C, const problem::Workload&, Workspace&, Stream>) {
    return C(workload, workspace, stream);
  } else if constexpr (std::is_constructible_v<C, const problem::Workload&, Workspace&>) {
    return C(workload, workspace);
  } else if constexpr (std::is_constructible_v<C, const problem::Workload&>) {
    return C(workload);
  } else {
    static_assert(
        std::is_default_constructible_v<C>,
        "Contestant's constructor takes (const problem::Workload&, podium::Workspace&, podium::Stream), "
        "the first two, the first, or nothing");
    return C();
  }
}

// A function of its own because nvcc 13 cannot parse `new Aggregate(call())` in C++20.
template <class T>
T* stored(const T& value) {
  return new T(value);
}

// A contestant and its scratch, which it may refer to for as long as it lives.
template <class C>
struct Instance {
  Workspace workspace;
  C contestant;
  Instance(const problem::Workload& workload, const wire::Services& services, Stream stream)
      : workspace(services), contestant(make<C>(workload, workspace, stream)) {}
};

template <class C>
struct Calls {  // functions, not lambdas: nvcc takes none in a variable template's initialiser
  static const char* text() { return message; }

  static std::int32_t create(const wire::Workload& workload, const wire::Services& services, void* stream,
                             void** self) {
    return guarded([&] {
      if (startup) startup();
      *self = new Instance<C>(problem::workload(workload), services, stream_of(stream));
    });
  }
  static std::int32_t bind(const wire::Workload& workload, const wire::Tensor* tensors, void** bound) {
    return guarded([&] { *bound = stored(problem::arguments(workload, tensors)); });
  }
  static std::int32_t run(void* self, const void* bound, void* stream) {
    return guarded([&] {
      static_cast<Instance<C>*>(self)->contestant.run(*static_cast<const problem::Arguments*>(bound),
                                                      stream_of(stream));
    });
  }
  static std::int32_t destroy(void* self, void** bound, std::int32_t count) {
    return guarded([&] {
      for (std::int32_t i = 0; i < count; ++i) delete static_cast<problem::Arguments*>(bound[i]);
      delete static_cast<Instance<C>*>(self);
    });
  }
};

template <class C>
inline constexpr Table table = {
    abi,           sizeof(Table),    problem::hash, Calls<C>::text, Calls<C>::create, Calls<C>::bind,
    Calls<C>::run, Calls<C>::destroy};

}  // namespace podium::plugin

static_assert(std::is_trivially_copyable_v<problem::Arguments>, "Arguments may be passed to a kernel whole");

extern "C" __attribute__((visibility("default"))) const podium::plugin::Table* podium_contestant() {
  return &podium::plugin::table<Contestant>;
}
