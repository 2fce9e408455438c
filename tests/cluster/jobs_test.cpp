// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Jobs of a campaign without a scheduler: what sbatch is told, scripts, and where shards stand by what squeue
// says.
#include "suite/cluster/jobs.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "suite/cluster/program.hpp"
#include "suite/cluster/status.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Jobs : public testing::Test {
 protected:
  Jobs() {
    auto name = (fs::temp_directory_path() / "podium campaign XXXXXX").string();
    if (!::mkdtemp(name.data())) std::abort();
    campaign = name;
    plan = {.campaign = "nightly", .rounds = 7};
    plan.partitions.push_back({.name = "h200", .partition = "gpu", .backend = "cuda", .time_limit = 3601});
    plan.partitions.push_back({.name = "epyc", .partition = "cpu", .backend = "host", .time_limit = 60});
    for (const char* id : {"0001", "0002", "0003", "0004"})
      plan.shards.push_back({.id = id,
                             .partition = "h200",
                             .backend = "cuda",
                             .boards = {{"sum", "f32"}},
                             .rounds = 7,
                             .arguments = {"run", "sum"},
                             .estimate = 600});
    array = {.name = "podium-nightly-1-0001", .job = "12", .partition = "h200", .shards = {"0001", "0003"}};
  }
  ~Jobs() override { fs::remove_all(campaign); }
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // Of the first shard.
  ShardStatus stands(const std::optional<Tasks>& tasks) const {
    return status_of(campaign, plan, {array}, tasks).shards.front();
  }
  void write(Standing standing, const std::string& why = "") const {
    write_state(campaign, "0001",
                {.standing = standing,
                 .visits = {{.node = "n1", .device = "GPU-1", .job = "12_0", .started = now}},
                 .ended = standing == Standing::running ? "" : now,
                 .why = why});
  }

  const std::string now = "2026-01-02T03:04:05Z";
  fs::path campaign;
  Plan plan;
  Array array;
};

TEST_F(Jobs, OptionsAreThoseOfThePartition) {
  Partition& gpu = plan.partitions[0];
  auto options = options_of(gpu, campaign, array);
  for (const char* option :
       {"--job-name=podium-nightly-1-0001", "--partition=gpu", "--array=0-1", "--time=61", "--requeue",
        "--gres=gpu:1", "--signal=B:USR1@180", "--cpus-per-task=4"})
    EXPECT_THAT(options, Contains(option));
  EXPECT_THAT(options, Not(Contains("--exclusive")));
  gpu.gres = "gpu:h200:1";
  gpu.constraint = "sxm";
  gpu.account = "perf";
  gpu.qos = "long";
  gpu.sbatch = {"--exclude=n17", "--cpus-per-gpu=8"};
  options = options_of(gpu, campaign, array);
  for (const char* option :
       {"--gres=gpu:h200:1", "--constraint=sxm", "--account=perf", "--qos=long", "--exclude=n17"})
    EXPECT_THAT(options, Contains(option));
  EXPECT_THAT(options, Not(Contains("--cpus-per-task=4")));
  options = options_of(plan.partitions[1], campaign, array);
  for (const char* option : {"--exclusive", "--time=1", "--signal=B:USR1@15"})
    EXPECT_THAT(options, Contains(option));
  EXPECT_THAT(options, Not(Contains(HasSubstr("--gres"))));
}

// bash itself reads each script.
TEST_F(Jobs, ScriptsArePlainBash) {
  Partition& gpu = plan.partitions[0];
  const auto text_for = [&] {
    const std::string text = script_of(gpu, campaign, array, "/opt/podium/bin/podium");
    const Said said = run_tool({"bash", "-n", "-c", text});
    EXPECT_EQ(said.status, 0) << said.err << text;
    return text;
  };
  EXPECT_THAT(text_for(), HasSubstr("/opt/podium/bin/podium cluster shard '" + campaign.string() +
                                    "' \"${shards[SLURM_ARRAY_TASK_ID]}\" &"));
  gpu.modules = {"cuda/13.0"};
  gpu.setup = {"ulimit -l unlimited"};
  gpu.scratch = "$SLURM_TMPDIR/a b";
  gpu.apptainer = "/images/podium cuda.sif";
  std::string text = text_for();
  EXPECT_THAT(text, HasSubstr("#!/bin/bash -l\n"));
  EXPECT_THAT(text, HasSubstr("module load cuda/13.0\nulimit -l unlimited\n"));
  EXPECT_THAT(text,
              HasSubstr("apptainer exec --nv --rocm --bind \"" + campaign.string() +
                        "\" --bind \"$SLURM_TMPDIR/a b\" '/images/podium cuda.sif' podium cluster shard"));
  gpu.apptainer.clear();
  gpu.pyxis = "podium.sqsh";
  EXPECT_THAT(text_for(), HasSubstr("srun --ntasks=1 --container-image=podium.sqsh --container-mounts="));
}

// The script's own part: signals reach the shard, its status is the job's, and 75 puts it back into the
// queue.
TEST_F(Jobs, ScriptsPassSignalsOn) {
  array.shards = {"0007"};
  const auto shard = campaign / "podium";
  const auto run = [&](const std::string& does, const std::string& to_it) {
    FILE* file = std::fopen(shard.c_str(), "w");
    std::fputs(("#!/bin/bash\n" + does + "\n").c_str(), file);
    std::fclose(file);
    fs::permissions(shard, fs::perms::owner_all);
    const auto script = script_of(plan.partitions[1], campaign, array, shard);
    return run_tool(
        {"bash", "-c",
         "cd \"$0\"; scontrol() { echo \"scontrol $*\"; }; export -f scontrol; export SLURM_JOB_ID=5 "
         "SLURM_ARRAY_TASK_ID=0; bash -c \"$1\" & job=$!; " +
             to_it + " wait $job; echo \"status $?\"",
         campaign.string(), script});
  };
  EXPECT_THAT(run("echo \"$1 $2 $4\"; exit 3", "").out, HasSubstr("cluster shard 0007\nstatus 3\n"));
  EXPECT_THAT(run("exit 75", "").out, HasSubstr("scontrol requeue 5\nstatus 75\n"));
  for (const char* signal : {"USR1", "TERM"})
    EXPECT_THAT(
        run(std::string("trap 'echo got ") + signal + "; kill $!; exit 9' " + signal +
                "; sleep 60 & touch ready; wait",
            std::string("until [ -e ready ]; do sleep 0.1; done; rm ready; kill -") + signal + " $job;")
            .out,
        HasSubstr(std::string("got ") + signal + "\nstatus 9\n"));
}

TEST_F(Jobs, ShardsStandAsQueueAndFileSay) {
  EXPECT_EQ(stands(Tasks{{"12_0", {.state = "PENDING", .node = "", .reason = "Priority"}}}).where,
            Where::queued);
  EXPECT_EQ(stands(Tasks{{"12_0", {.state = "RUNNING", .node = "n1"}}}).where, Where::running);
  EXPECT_EQ(stands(Tasks{}).where, Where::lost);
  EXPECT_THAT(stands(Tasks{}).why, HasSubstr("job 12_0 ended before its shard began"));
  EXPECT_EQ(stands(std::nullopt).where, Where::unsubmitted);
  write(Standing::running);
  EXPECT_EQ(stands(Tasks{{"12_0", {.state = "RUNNING", .node = "n1"}}}).where, Where::running);
  EXPECT_EQ(stands(Tasks{{"12_0", {.state = "PENDING"}}}).where, Where::queued);  // its node failed
  EXPECT_EQ(stands(Tasks{}).where, Where::lost);
  EXPECT_THAT(stands(Tasks{}).why, HasSubstr("job 12_0 on n1 is gone"));
  EXPECT_EQ(stands(std::nullopt).where, Where::running);
  write(Standing::done);
  EXPECT_EQ(stands(Tasks{{"12_0", {.state = "COMPLETING"}}}).where, Where::done);
  write(Standing::failed, "no such device");
  EXPECT_EQ(stands(Tasks{}).where, Where::failed);
  EXPECT_EQ(stands(Tasks{{"12_0", {.state = "COMPLETING"}}}).where, Where::failed);
  EXPECT_EQ(stands(Tasks{{"12_0", {.state = "PENDING"}}}).where, Where::queued);  // submitted again
  write(Standing::waiting, "the time limit was near");
  EXPECT_EQ(stands(Tasks{}).where, Where::unsubmitted);
  EXPECT_EQ(stands(Tasks{}).why, "the time limit was near");
  write(Standing::cancelled);
  EXPECT_EQ(stands(Tasks{}).where, Where::cancelled);
}

TEST_F(Jobs, TheEndIsExpectedByEstimates) {
  write(Standing::running);
  const auto status = status_of(campaign, plan, {array},
                                Tasks{{"12_0", {.state = "RUNNING"}}, {"12_1", {.state = "PENDING"}}});
  // 600 s of each, 100 of which have passed for the first; the others are not submitted.
  EXPECT_DOUBLE_EQ(seconds_left(plan, status, "2026-01-02T03:05:45Z"), 1100);
  const auto text = table_of(plan, status, "2026-01-02T03:05:45Z");
  EXPECT_THAT(text, HasSubstr("nightly: 0 of 1 board done, 1 running, 0 failed\n"));
  EXPECT_THAT(text, HasSubstr("0001 running   sum/f32, on n1 since 2026-01-02T03:04:05Z\n"));
  EXPECT_THAT(text, HasSubstr("expected end: 2026-01-02T03:24:05Z, in 18 min"));
}

TEST_F(Jobs, AnswersOfSqueueAreRead) {
  const auto tasks = tasks_in("12_0|RUNNING|n1|None\n12_1|PENDING||Resources\n");
  EXPECT_EQ(tasks.at("12_0").node, "n1");
  EXPECT_EQ(tasks.at("12_1").state, "PENDING");
  EXPECT_EQ(tasks.at("12_1").reason, "Resources");
}

TEST_F(Jobs, ArraysAreKeptAndNamed) {
  EXPECT_THAT(next_name(campaign, plan, {}), testing::MatchesRegex("podium-nightly-[0-9a-f]+-0001"));
  array.name = next_name(campaign, plan, {});
  write_array(campaign, array);
  const auto arrays = read_arrays(campaign);
  ASSERT_EQ(arrays.size(), 1U);
  EXPECT_EQ(arrays[0].shards, array.shards);
  EXPECT_EQ(newest_task(arrays, "0003"), "12_1");
  EXPECT_EQ(newest_task(arrays, "0002"), "");
  EXPECT_THAT(next_name(campaign, plan, arrays), testing::EndsWith("-0002"));
}

TEST(Sentences, AreTheLastOfATool) {
  EXPECT_EQ(last_sentence("sbatch: error: Batch job submission failed: Invalid partition\n\n"),
            "Batch job submission failed: Invalid partition");
  EXPECT_EQ(run_tool({"no-such-tool"}).status, 127);
  EXPECT_EQ(last_sentence(run_tool({"no-such-tool"}).err), "no-such-tool is not installed");
  EXPECT_EQ(run_tool({"sh", "-c", "echo out; echo err >&2; kill -9 $$"}).status, 137);
}

}  // namespace
}  // namespace podium::cluster
