// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Slurm's commands, and what they answer.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace podium::cluster {

// A task of an array, as squeue lists it.
struct Task {
  std::string state;   // "PENDING", "RUNNING", "COMPLETING" ...
  std::string node;    // empty: none yet
  std::string reason;  // why it waits
};
using Tasks = std::map<std::string, Task>;  // by "JOB_TASK"

// Submits a script and returns the job's number. Throws podium::Error with what sbatch said.
std::string submit_job(const std::vector<std::string>& options, const std::string& script);

// The tasks of this user's jobs with these names that wait or run. Throws podium::Error if Slurm does not
// answer.
Tasks tasks_of(const std::vector<std::string>& names);
Tasks tasks_in(const std::string& answer);  // of squeue, a task a line

// How a task that squeue no longer lists has ended, as far as Slurm still knows: "FAILED, exit status 1",
// "NODE_FAIL". Empty: it does not.
std::string end_of(const std::string& task);

// Throws podium::Error with what scancel said.
void cancel_jobs(const std::vector<std::string>& jobs);

// The most tasks of one array.
int largest_array();

}  // namespace podium::cluster
