// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A lane that launches nothing and remembers what it was asked to launch, arguments included.
#pragma once
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "suite/device/lane.hpp"

namespace podium::device {

class RecordingLane : public Lane {
 public:
  struct Launched {
    std::string code, kernel;
    Kernels::Shape shape;
    std::vector<std::uint64_t> arguments;
  };

  void open_arena(const Handle&, std::size_t) override {}
  std::byte* arena() const override { return const_cast<std::byte*>(memory_.data()); }
  void* stream() const override { return nullptr; }
  void* allocate(bool pinned, std::size_t bytes) override {
    if (pinned || bytes > room) return nullptr;
    allocated.push_back(bytes);
    return scratch_.emplace_back(bytes + 1).data();
  }
  void release() override {
    ++released;
    kernels_.clear();
    scratch_.clear();
  }
  Kernels& load(const std::string& code) override {
    ++loaded;
    return kernels_.emplace_back(*this, code);
  }
  double gated(Page&, std::uint32_t, const std::function<void()>&, const std::function<void()>&) override {
    return 0;
  }
  double whole(const std::function<void()>&) override { return 0; }
  void capture(const std::function<void()>&) override {}
  void replay() override {}
  void synchronise() override { ++synchronised; }

  std::vector<Launched> launched;
  std::vector<std::size_t> allocated;
  std::map<std::string, std::size_t> arguments_of;  // by kernel: how many it takes
  std::size_t room = 1 << 20;
  int loaded = 0, released = 0, synchronised = 0;

 private:
  class Recording : public Kernels {
   public:
    Recording(RecordingLane& lane, std::string code) : lane_(lane), code_(std::move(code)) {}
    void* find(const std::string& name, const Shape&) override {
      if (!lane_.arguments_of.contains(name)) throw Error("the device finds no kernel '" + name + "'");
      return &names_.emplace_back(name);
    }
    void launch(void* kernel, const Shape& shape, void** arguments) override {
      const std::string name = *static_cast<std::string*>(kernel);
      Launched launched{.code = code_, .kernel = name, .shape = shape, .arguments = {}};
      for (std::size_t i = 0; i < lane_.arguments_of.at(name); ++i) {
        std::uint64_t value = 0;
        std::memcpy(&value, arguments[i], sizeof value);
        launched.arguments.push_back(value);
      }
      lane_.launched.push_back(std::move(launched));
    }

   private:
    RecordingLane& lane_;
    std::string code_;
    std::list<std::string> names_;
  };

  std::vector<std::byte> memory_ = std::vector<std::byte>(4096);
  std::list<std::vector<std::byte>> scratch_;
  std::list<Recording> kernels_;
};

}  // namespace podium::device
