// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What podium, judge and worker say to each other: fixed layout, one message a datagram (SOCK_SEQPACKET).
//
// podium -> judge: open, problem (YAML and program descriptors), arena, rehearse, worker (its socket), begin,
// sample, end, release, memory, canary, telemetry, count, calibrate, seeds; those of calibration.hpp and
// sensitivity.hpp and reference.hpp; the judge gives one answer to each. judge -> worker: setup (arena and
// page descriptors), symmetric (memory that all ranks of a group reach), structure (its descriptor), create,
// arm, destroy, bye; the worker answers. The worker never hears podium. Whatever comes from a worker is
// checked before use: it is not trusted.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../base/verdict.hpp"  // by its place: contestants that forge messages include this file

namespace podium::protocol {

inline constexpr std::uint32_t magic = 0x4d49444f;  // "ODIM"
inline constexpr std::uint16_t version = 11;
inline constexpr std::size_t max_message = 4096;  // bytes
inline constexpr int max_tensors = 24, max_structures = 16, max_rank = 6, max_axes = 48, max_parameters = 16;
inline constexpr int max_workers = 64;  // of one judge at a time, those of a group counted once
inline constexpr int max_ranks = 16;    // devices that compute together, each with a worker
// A dozen kernels a call would still fit a GPU's queue of launches.
inline constexpr int most_together = 12;        // calls behind one gate
inline constexpr int most_repeats = 1'000'000;  // calls back to back of one request
inline constexpr double longest_repeats = 3;    // seconds after which none of them is begun any more

enum class Type : std::uint16_t {
  // podium to judge, and the answers
  open = 1,
  opened,
  problem,
  arena,
  worker,
  begin,
  sample,
  sampled,
  end,
  release,
  calibrate,
  calibrated,
  seeds,
  seeds_are,
  done,
  refused,
  rehearse,
  rehearsed,
  begun,
  memory,
  memory_is,
  canary,
  canary_is,
  telemetry,
  telemetry_is,
  count,
  counted,
  load_calibration = 48,  // calibration.hpp
  probe,
  probed,
  take_samples = 56,  // samples.hpp
  taken_samples,
  sense,  // sensitivity.hpp
  sensed,
  reference = 60,  // reference.hpp
  link = 62,
  link_is,
  // judge to worker, and the answers
  setup = 64,
  create,
  arm,
  armed,
  finished,
  destroy,
  bye,
  ready,
  failed,
  structure,
  symmetric,
  // judge to reference process, and its answer: reference.hpp
  reference_load = 80,
  reference_begin,
  reference_ask,
  reference_answer,
};

struct Header {
  std::uint32_t magic = protocol::magic;
  std::uint16_t version = protocol::version;
  Type type{};
  std::uint32_t bytes = 0;  // of the whole message
  std::uint32_t reserved = 0;
};

inline constexpr std::size_t max_text = 1024;  // bytes, the closing zero included
using Sentence = char[max_text];

// ---- podium and judge
// ------------------------------------------------------------------------------------------

struct Open {
  static constexpr Type type = Type::open;
  Header header;
  std::int32_t device = 0;
  std::int32_t reserved = 0;
};
struct Opened {
  static constexpr Type type = Type::opened;
  Header header;
  char backend[16], product[128], architecture[64], driver[128], pci[32];
  std::int64_t memory, last_level_cache;
  std::int32_t multiprocessors, warp;
  std::int64_t local_share;
  char partition[64];
  std::int32_t emulated;
  std::int32_t most_ranks;         // of a group that begins with this device
  char others[max_ranks - 1][32];  // the PCI addresses of the further devices of such a group; empty on the
                                   // host, whose processors all ranks share
};
struct LoadProblem {  // descriptors: the YAML file, the compiled program
  static constexpr Type type = Type::problem;
  Header header;
  char name[128], file[512];
  std::int32_t choice;
  std::int32_t reserved;
};
struct SizeArena {  // sizes the arena for the workloads named, indices into the problem's list
  static constexpr Type type = Type::arena;
  Header header;
  std::int32_t workloads[256];
  std::int32_t count;
  std::int32_t reserved;
};
struct AddWorker {  // descriptor: the judge's end of the worker's socket
  static constexpr Type type = Type::worker;
  Header header;
  std::int32_t empty;   // the trusted empty contestant: timed, never verified
  std::int32_t pid;     // of the worker, leader of its process group: killed if podium dies
  std::uint32_t uid;    // of the worker; 0: podium's own
  std::int32_t worker;  // its number below max_workers, by which begin and release name it and its group
  std::int32_t rank;    // the number below the board's ranks; 0 comes first
};
struct Begin {  // a new instance of the contestant, and its warm-up
  static constexpr Type type = Type::begin;
  Header header;
  std::int32_t workload, round;
  std::uint64_t owner;  // whose inputs: each contestant of a board has a number of its own
  std::int32_t worker;
  std::int32_t full;             // verify everything also where a sample would do
  std::uint64_t structure_seed;  // in place of the round's; 0: that
};
struct Begun {  // what the structure of the round makes of the workload's costs
  static constexpr Type type = Type::begun;
  Header header;
  double bytes, flops;               // as the problem states them
  double read, written;              // bytes of inputs and structure, of outputs: the parts in use
  std::int32_t most_calls;           // behind one gate, for which the arena has room
  float constructor_microseconds;    // of the instance, by the judge's clock; 0: unknown
  std::uint64_t structure_seed = 0;  // 0 where the problem has none
};
// What a sample is for; only cold ones rank. Hot: the inputs have just been written, and nothing is flushed.
// Graph: captured once, replayed behind the gate. End to end: the gate open, by the host's clock, caches
// cold. Steady: cold, but caches hold as many bytes that have yet to be written as the call writes, as in a
// stream of such calls. Repeated: `calls` back to back on one set of tensors, the gate open, while the judge
// reads the device's counter of energy; what the last of them left is verified.
enum class Mode : std::int32_t { cold, hot, graph, end_to_end, steady, repeated };
struct Sample {
  static constexpr Type type = Type::sample;
  Header header;
  std::int32_t index;
  std::int32_t calls;  // behind one gate, each with tensors of its own, those of samples `index`, `index` + 1
                       // ...; repeated: at most so many, on the tensors of `index`
  std::int32_t waits;  // the gate opens before the call, as for a contestant that waits in it
  Mode mode;
  std::uint64_t seed;  // of the call, of the last of several, in place of the run's; 0: that
};
// What the judge checked in calls, right or wrong.
struct Checked {
  std::int64_t calls;
  std::int64_t elements;  // of outputs: each looked at for poison and for numbers that are not finite
  std::int64_t compared;  // of these: with a reference
  std::int64_t examined;  // elements and results that the problem's checks looked at
  std::int64_t bytes;     // of guards, inputs and structure: held against what they were before the call

  Checked& operator+=(const Checked& more) {
    calls += more.calls;
    elements += more.elements;
    compared += more.compared;
    examined += more.examined;
    bytes += more.bytes;
    return *this;
  }
};
using podium::Verdict;  // up to out_of_memory: beside the contestant the judge has too little of the device's
struct Sampled {
  static constexpr Type type = Type::sampled;
  Header header;
  Verdict verdict;
  std::int32_t blocking;             // `run` did not return while the gate was closed
  double event_microseconds;         // the worker's word
  double judge_microseconds;         // from opening the gate to hearing that it is done, by the judge's clock
  double fill_microseconds;          // the judge's work before the gate: inputs, poison, flush
  double check_microseconds;         // and after the call
  double reference_microseconds;     // of these, the references'
  double arm_microseconds;           // from telling the worker to hearing that it has armed
  double stop_microseconds;          // until its threads stood still, where they have to
  double own_microseconds;           // of the judge, from the request to the answer, all of the above in it
  double clock_before, clock_after;  // MHz of the device, around one cold call; 0: not known
  double watts;                      // of the device while calls were repeated; NaN: not known
  double worst;                      // largest error over its limit, outputs with a reference; 0 if none
  std::int32_t calls;                // repeated: how many there were, by the worker's word
  std::int32_t left_out;             // elements of outputs that were excused or may hold anything, if right
  float skew_microseconds;           // from the first rank's beginning to the last one's, by the workers'
                                     // word; 0: not known, or one device
  std::int32_t reserved;
  double exact =
      std::numeric_limits<double>::quiet_NaN();  // largest error against exact() of a reference in Python,
                                                 // of the largest magnitude; NaN: not known
  std::uint64_t seed;                            // of the call; revealed in records when the run has ended
  std::int64_t call;  // of several behind one gate: which one seed and text are about
  Checked checked;    // in this call, or in all of several
  Sentence text;      // evidence, if not right; where the largest error is, if right
};
struct End {  // of the instance that was begun last
  static constexpr Type type = Type::end;
  Header header;
};
struct Release {
  static constexpr Type type = Type::release;
  Header header;
  std::int32_t worker, reserved;
};
struct Canary {  // is the device disturbed?
  static constexpr Type type = Type::canary;
  Header header;
};
struct CanaryIs {
  static constexpr Type type = Type::canary_is;
  Header header;
  double microseconds;  // of the device's canary()
};
struct Memory {  // of the device: how much do others than the judge hold?
  static constexpr Type type = Type::memory;
  Header header;
};
struct MemoryIs {
  static constexpr Type type = Type::memory_is;
  Header header;
  std::int64_t others, all;  // bytes; no others on the host
};
struct Rehearse {  // fills and references of a workload, without a contestant: does the problem hold?
  static constexpr Type type = Type::rehearse;
  Header header;
  std::int32_t workload;
  std::int32_t full;     // verify everything also where a sample would do
  std::int32_t repeats;  // 0: once, and no reference is timed on its own
  std::int32_t reserved;
};
inline constexpr int max_evaluations = 80;  // of a rehearsal; those beyond are not listed
struct Rehearsed {                          // times by the judge's clock, the best of the repeats
  static constexpr Type type = Type::rehearsed;
  Header header;
  double fill_microseconds, verify_microseconds;
  std::int64_t private_bytes;  // of the judge, for this workload
  struct Evaluation {          // a reference on one domain, timed on its own: with the wait for its end
    std::int32_t reference, reserved;
    std::int64_t elements, all;  // evaluated, and how many it has in full
    std::int64_t terms;          // of the loop of each element; 1 for no loop
    double microseconds;
  } evaluations[max_evaluations];
  std::uint64_t count;
};
struct Calibrate {
  static constexpr Type type = Type::calibrate;
  Header header;
};
struct Calibrated {
  static constexpr Type type = Type::calibrated;
  Header header;
  double copy, read, write;  // bytes a second: device::MemoryRates
};
struct Link {  // between the ranks of the board
  static constexpr Type type = Type::link;
  Header header;
};
struct LinkIs {
  static constexpr Type type = Type::link_is;
  Header header;
  double bytes_a_second;  // from one device to another, the slowest pair of neighbours; 0: there is one rank
};
struct Telemetry {
  static constexpr Type type = Type::telemetry;
  Header header;
  std::int32_t energy, reserved;  // whether that is asked for, too
};
struct TelemetryIs {  // what the device says of itself now; NaN: not known
  static constexpr Type type = Type::telemetry_is;
  Header header;
  double sm_clock, memory_clock;  // MHz
  double temperature;             // degrees Celsius
  double power, energy;           // watts; joules since some start: differences count
  std::uint32_t throttle;         // bits of suite/base/throttle_reason.hpp
  std::uint32_t reserved;
  char source[256];  // "NVML"; "none: ..." and why
};
struct Count {  // the device's own counters, over a stretch of time
  static constexpr Type type = Type::count;
  Header header;
  std::int32_t begins, reserved;  // the stretch begins; else it ends
};
struct Counted {
  static constexpr Type type = Type::counted;
  Header header;
  std::int32_t counts, reserved;  // whether the device has such counters, where the stretch begins
  double seconds;                 // of the stretch; NaN, here and below: not known, or too short to tell
  double sm_active, sm_occupancy, tensor_active, memory_bandwidth;  // percent: device/telemetry.hpp
};
struct Seeds {
  static constexpr Type type = Type::seeds;
  Header header;
};
struct SeedsAre {
  static constexpr Type type = Type::seeds_are;
  Header header;
  std::uint64_t secret[2];  // every seed of the run derives from it: judge.hpp, seed_of()
};
struct Done {
  static constexpr Type type = Type::done;
  Header header;
  std::int64_t number;  // arena: its bytes
};
struct Refused {  // a verdict becomes the contestant's row, if one takes part; text: a sentence, or where the
                  // worker is gone what it was at
  static constexpr Type type = Type::refused;
  Header header;
  Verdict verdict;
  Fault fault;        // where there is no verdict, or no contestant; input: the problem
  std::int32_t rank;  // whose worker failed; 0 of one device
  std::int32_t reserved;
  Sentence text;
};

// ---- judge and worker
// ------------------------------------------------------------------------------------------

struct Setup {  // descriptors: page, and the arena's where it has one
  static constexpr Type type = Type::setup;
  Header header;
  std::int32_t device;
  std::int32_t arena_has_descriptor;
  std::int32_t rank, ranks;  // of a group; 0 of 1
  std::uint64_t arena_bytes;
  std::byte arena_token[64];
  char interface_hash[64];  // what the plugin must answer; empty for the trusted empty contestant
};
struct Symmetric {  // after setup, one for each rank of a group in their order; descriptor: where it has one
  static constexpr Type type = Type::symmetric;
  Header header;
  std::int32_t has_descriptor, reserved;
  std::uint64_t bytes;
  std::byte token[64];
};
struct TensorLayout {
  std::int64_t extents[max_rank], strides[max_rank];  // strides in elements
};
struct StructureLayout {
  std::int64_t offset, host_offset;  // bytes into the arena, into the descriptor's file
  std::int64_t extents[max_rank];
  std::int32_t rank, reserved;
};
struct Structures {  // before create, where the problem has any; descriptor: the numbers in host memory,
                     // sealed
  static constexpr Type type = Type::structure;
  Header header;
  StructureLayout structures[max_structures];
  std::int64_t host_bytes;
  std::int32_t count, reserved;
};
struct Create {
  static constexpr Type type = Type::create;
  Header header;
  std::int64_t axes[max_axes];
  double parameters[max_parameters];
  TensorLayout tensors[max_tensors];
  std::int64_t scratch_limit;  // bytes
  std::int32_t axis_count, parameter_count, tensor_count, reserved;
  char workload[256];  // its name
};
// How the worker launches `run`: behind the gate; the same, captured into a graph or replayed from it; with
// the gate open, timed on the host from before `run` until the device has done all; or so again and again.
// waiting: like gated, of contestants that wait inside `run`: the worker itself waits until the gate is open.
enum class Launch : std::int32_t { gated, capture, replay, whole, repeated, waiting };
struct Arm {
  static constexpr Type type = Type::arm;
  Header header;
  std::uint32_t ticket;
  std::int32_t calls;  // more than one only if gated
  Launch launch;
  std::int32_t repeats;  // of Launch::repeated: how many calls at most, none begun after longest_repeats
  std::int64_t offsets[most_together][max_tensors];  // bytes into the arena, of each call's tensors
};
struct Armed {
  static constexpr Type type = Type::armed;
  Header header;
  std::uint32_t ticket, reserved;
};
struct Finished {
  static constexpr Type type = Type::finished;
  Header header;
  std::uint32_t ticket;
  std::int32_t repeats;  // of Launch::repeated: how many calls there were
  double microseconds;
  double began;  // microseconds of the machine's monotonic clock when the call began; NaN: not known
};
struct Destroy {
  static constexpr Type type = Type::destroy;
  Header header;
};
struct Bye {
  static constexpr Type type = Type::bye;
  Header header;
};
struct Ready {
  static constexpr Type type = Type::ready;
  Header header;
};
struct Failed {
  static constexpr Type type = Type::failed;
  Header header;
  Verdict verdict;  // unsupported, threw, device_error, broke_protocol
  std::int32_t reserved;
  Sentence text;
};

template <class M>
concept Message = std::is_trivially_copyable_v<M> && std::is_standard_layout_v<M> &&
                  sizeof(M) <= max_message && std::is_same_v<decltype(M::header), Header>;

}  // namespace podium::protocol
