// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A campaign: problems and contestants that are measured on the partitions of a cluster. docs/campaigns.md
// describes the file.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace podium::cluster {

struct ChosenProblem {
  std::string name;
  std::vector<std::string> types;        // empty: the campaign's, or all
  std::vector<std::string> contestants;  // empty: the campaign's, or all
  std::string level;                     // "quick", "bench"; empty: the campaign's
};

// Nodes with devices of one type.
struct Partition {
  std::string name;       // in the campaign
  std::string partition;  // the scheduler's name of it
  std::string backend;    // "cuda", "hip", "host"
  std::string arch;       // "sm_90"; empty: not known, and nothing is left out for it
  std::string gres, constraint, account, qos;
  double time_limit = 0;  // seconds of a job
  std::vector<std::string> modules;
  std::string apptainer, pyxis;       // images; at most one of them is given
  std::string scratch;                // folder on the node; empty: the node's TMPDIR
  std::vector<std::string> setup;     // lines of shell, before Podium starts
  std::vector<std::string> sbatch;    // further options of sbatch
  std::string shared_cache;           // folder that all nodes see; empty: there is none
  std::vector<std::string> problems;  // of the campaign's, those for this partition; empty: all
};

// What every node measures, so that devices of one type can be compared.
struct Common {
  std::string problem = "vector_add", types = "f32";
  std::string contestant;  // empty: the problem's baseline on the device
};

struct Campaign {
  std::string name;                      // of folders and jobs
  std::vector<ChosenProblem> problems;   // empty: all
  std::vector<std::string> types;        // empty: all
  std::vector<std::string> contestants;  // empty: all
  std::string level = "bench";
  int rounds = 7, runs = 1;  // each run measures all rounds, on a device of its own if there is one
  double target = 30 * 60;   // seconds that a shard should take
  bool isolated = false, cold_only = false, energy = false, require_sandbox = false;  // of `podium run`
  Common common;
  std::vector<Partition> partitions;
};

// Throws podium::Error with a sentence for each mistake: file, line, key, found and expected.
Campaign campaign_of(const std::string& source, const std::filesystem::path& file);
Campaign load_campaign(const std::filesystem::path& file);

// "30 min", "1.5 h", "90 s", "2 d", or as Slurm has it: "4:00:00", "1-12:00:00". Negative: it is neither.
double seconds_of(const std::string& duration);
std::string duration_text(double seconds);  // "45 s", "12 min", "3.4 h"

nlohmann::json to_json(const Partition& partition);
// `what` names it in sentences. Throws podium::Error.
Partition partition_from(const nlohmann::json& json, const std::string& name, const std::string& what);

}  // namespace podium::cluster
