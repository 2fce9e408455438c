// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/examine_judge.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

#include "suite/judge/judge.hpp"
#include "suite/protocol/calibration.hpp"
#include "suite/protocol/samples.hpp"
#include "tests/fuzz/promises.hpp"
#include "tests/fuzz/scene.hpp"

namespace podium::fuzz {
namespace {

using protocol::Verdict;

template <class Sample>
void expect_times(const Sample& sample) {
  for (const double time : {sample.event_microseconds, sample.judge_microseconds, sample.fill_microseconds,
                            sample.check_microseconds, sample.reference_microseconds, sample.arm_microseconds,
                            sample.stop_microseconds, sample.own_microseconds})
    expect(std::isfinite(time) && time >= 0, "a time of " + std::to_string(time));
}

void expect_verdict(Verdict verdict, const protocol::Sentence& text) {
  expect(verdict >= Verdict::right && verdict <= Verdict::out_of_memory, "a verdict that is none");
  expect(text[protocol::max_text - 1] == '\0', "a text without an end");
}

void expect_answer(const Said& said, Heard& heard) {
  using protocol::Type;
  static constexpr std::array answers{
      Type::opened,       Type::sampled,   Type::calibrated, Type::seeds_are,     Type::done,
      Type::refused,      Type::rehearsed, Type::begun,      Type::memory_is,     Type::canary_is,
      Type::telemetry_is, Type::counted,   Type::probed,     Type::taken_samples, Type::sensed};
  expect(std::ranges::find(answers, said.type()) != answers.end(),
         "an answer of type " + std::to_string(static_cast<int>(said.type())));
  ++heard.answers;
  if (said.type() == Type::refused) {
    const auto* refused = said.as<protocol::Refused>();
    expect(refused, "a refusal of another length");
    expect_verdict(refused->verdict, refused->text);
    expect(refused->text[0] != '\0' || refused->verdict != Verdict::none, "a refusal without a sentence");
    if (heard.refused++ == 0) heard.refusal = protocol::get(refused->text);
  }
  if (const auto* sampled = said.as<protocol::Sampled>()) {
    expect_times(*sampled);
    expect_verdict(sampled->verdict, sampled->text);
    heard.right += sampled->verdict == Verdict::right;
  }
  if (said.type() != Type::taken_samples) return;
  const auto* taken = said.as<protocol::TakenSamples>();
  expect(taken, "samples of another length");
  expect(taken->count >= 0 && taken->count <= protocol::most_taken, "a count of samples that is none");
  expect_verdict(taken->verdict, taken->text);
  for (int k = 0; k < taken->count; ++k) expect_times(taken->samples[k]);
  heard.right += taken->count;
}

}  // namespace

Heard examine_judge(const Conversation& conversation, bool sound, bool scribbles) {
  Scene scene(conversation);
  std::jthread scribbler;
  if (scribbles) scene.scribbles();
  if (scribbles)
    scribbler = std::jthread([&](const std::stop_token& over) {
      for (std::mt19937 random(1); !over.stop_requested(); std::this_thread::yield()) scene.scribble(random);
    });
  std::jthread patience;
  if (scene.silent())
    patience = std::jthread([&](const std::stop_token& over) {
      while (!over.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        scene.hang_up();
      }
    });
  bool closed = false;
  try {
    judge::answer_requests(scene.judges_end(), &open_scene);
  } catch (const protocol::Closed&) {
    closed = true;
  } catch (const std::exception& error) {
    expect(!sound, std::string("the judge ended: ") + error.what());
  }
  if (scribbles) {
    scribbler.request_stop();
    scribbler.join();
  }
  scene.drain();
  Heard heard{.requests = scene.requests(), .scribbled = scene.scribbled()};
  for (const std::string& answer : scene.answers()) expect_answer({Side::judge, answer}, heard);
  expect(heard.answers <= heard.requests, "more answers than requests");
  if (closed) expect(heard.answers == heard.requests, "a request without an answer");
  return heard;
}

}  // namespace podium::fuzz
