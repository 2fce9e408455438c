# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""campaign_test.py PODIUM SCENARIO: campaigns on a real Slurm of three nodes.

Every wait is for a state, with a deadline that only ends a test which has failed; no time is held against anything.
"""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

import slurm
from campaign import BOARDS, Campaign, rows_of
from slurm import await_that

# Rounds: of a shard that is to end, and of one that is to be struck while it runs, and lasts for seven seconds (`half`).
SHORT, LONG = 3, 16
podium = os.path.abspath(sys.argv[1])


@contextlib.contextmanager
def campaigns(cluster):
    """A folder for them, which other users may look into."""
    with tempfile.TemporaryDirectory(prefix="podium-campaigns-") as folder:
        os.chmod(folder, 0o755)

        def campaign(name, *more, **options):
            return Campaign(pathlib.Path(folder) / name, podium, cluster, *more, **options)

        yield campaign


def on_one_machine(campaign):
    """The same boards by one `podium run` on this machine."""
    results = campaign.folder.parent / "alone"
    arguments = ["run", "half", "twice", "--quick", "--cold-only", "--quiet", "--rounds", str(SHORT)]
    environment = dict(campaign.environment, PODIUM_PROBLEMS=str(campaign.folder / "problems"))
    environment["PODIUM_CACHE"] = str(campaign.folder / "products")
    done = subprocess.run([podium, *arguments, "--results", str(results)], env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return rows_of(podium, [results], campaign.environment)


def check_same(merged, alone):
    assert merged == alone, "\n".join(f"{of}: {row}" for of, rows in (("merged", merged), ("alone", alone)) for row in rows)


def check_nodes(campaign, nodes):
    """An environment record of each node that took part, with the canary and the common contestant, and a calibration."""
    found = {}
    for file in (campaign.folder / "nodes").glob("*.json"):
        record = json.loads(file.read_text())
        found[record["node"]] = record
        assert record["device"] == "host" and "governor" in record["environment"] and "cpus" in record["environment"], record
        for reading in record["readings"]:
            assert reading["canary_us"] and reading["common_us"], record
        assert (campaign.folder / "calibrations" / file.name).exists()
    assert set(found) == set(nodes), (set(found), nodes)
    return found


def array():
    """Shards as an array, tables as on one machine; submitting again changes nothing."""
    with slurm.Slurm() as cluster, campaigns(cluster) as campaign:
        one = campaign("array", [[board] for board in BOARDS], SHORT, prepared=False)
        states = set(one.states().values())
        assert states == {"not submitted"}, states
        assert "4 shards submitted as job 1" in one.says("submit")
        assert "nothing to submit" in one.says("submit")
        assert len(cluster.queue()) <= len(one.ids)
        one.await_standing(*one.ids)
        assert "nothing to submit" in one.says("submit")
        await_that("Slurm's queue is empty", lambda: not cluster.queue())
        status = one.status()
        assert status["boards"] == {"all": 4, "done": 4, "running": 0, "failed": 0}, status
        for shard in one.ids:
            one.check_whole(shard)
        used = {one.state_file(shard)["visits"][-1]["node"] for shard in one.ids}
        check_nodes(one, used)
        # What shards compiled went into the campaign, and into no user's home.
        assert list(one.folder.glob("products/half/*.plugin")) and not (one.folder.parent / "nobody's cache").exists()
        assert "missing" not in one.says("collect")
        check_same(rows_of(podium, [one.folder / "results"], one.environment), on_one_machine(one))
        refused(cluster, campaign)


def refused(cluster, campaign):
    """What sbatch says arrives in one sentence, and nothing is left that looks submitted."""
    wrong = campaign("wrong", [[BOARDS[0]]], SHORT, partition="absent", prepared=False)
    done = wrong.ran("submit")
    assert done.returncode == 2 and "partition absent: 1 shard not submitted: sbatch: " in done.stderr, done.stderr
    assert "invalid partition" in done.stderr.lower(), done.stderr
    assert wrong.states() == {"0001": "not submitted"} and not cluster.queue()


def recovery():
    """A shard killed, its node drained, another node down in mid-run, and the controller restarted: all resume."""
    with slurm.Slurm() as cluster, campaigns(cluster) as campaign:
        one = campaign("recovery", [[board] for board in BOARDS[:3]], [LONG, LONG, SHORT])
        one.says("submit")
        node = {}
        killed, downed, spared = one.ids
        one.await_entries(killed, downed)
        for shard in (killed, downed):
            node[shard] = one.state_file(shard)["visits"][-1]["node"]

        cluster.says("scontrol", "update", f"NodeName={node[killed]}", "State=DRAIN", "Reason=test")
        one.kill(killed)
        cluster.says("scontrol", "update", f"NodeName={node[downed]}", "State=DOWN", "Reason=test")
        one.let_go(killed, downed)
        await_that("the killed shard is lost", lambda: one.states()[killed] == "lost")
        why = one.shards()[killed]["why"]
        assert f"on {node[killed]} is gone" in why and "results until then are kept" in why, why
        assert one.entries(killed)
        cluster.restart_controller()
        assert one.status()["queue"] == "known"
        await_that("the downed node's shard is in the queue", lambda: one.states()[downed] in ("queued", "running"))
        assert "1 shard submitted" in one.says("submit")
        one.await_standing(*one.ids)

        for shard in one.ids:
            one.check_whole(shard)
            visits = one.state_file(shard)["visits"]
            segments = one.provenance(shard).get("segments", [])
            if shard == spared:
                assert len(visits) == 1 and not segments, (visits, segments)
            else:
                assert len(visits) == 2 and len(segments) == 2, (visits, segments)  # resumed, not begun again
        assert one.state_file(killed)["visits"][1]["node"] != node[killed], "a drained node was given a new shard"
        assert one.state_file(downed)["visits"][1]["node"] != node[downed]


def preemption():
    """Two campaigns at once: the urgent one preempts, the other resumes; cancelling one leaves the other alone."""
    with slurm.Slurm(nodes=("n1",)) as cluster, campaigns(cluster) as campaign:
        slow = campaign("slow", [[BOARDS[0]]], LONG)
        urgent = campaign("urgent", [[BOARDS[2]]], SHORT, partition="urgent")
        third = campaign("third", [[BOARDS[3]]], LONG)
        slow.says("submit")
        slow.await_entries("0001")
        third.says("submit")
        urgent.says("submit")
        urgent.await_standing("0001")
        slow.let_go("0001")  # by now Slurm has, which continues what it ends
        urgent.check_whole("0001")
        third.says("cancel")
        assert third.state_file("0001")["state"] == "cancelled"
        assert "nothing to submit" not in third.says("submit")
        third.says("cancel")
        slow.await_standing("0001")
        slow.check_whole("0001")
        assert len(slow.state_file("0001")["visits"]) == len(slow.provenance("0001")["segments"]) == 2, "not preempted"
        assert "waiting: its job was told to end" in slow.log("0001"), slow.log("0001")  # and not killed
        assert third.states() == {"0001": "cancelled"}


class NoSlurm:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
    nodes = (socket.gethostname(),)


def plain():
    """Shards without a scheduler: one that was begun twice, one whose time ends, one that is interrupted."""
    with campaigns(NoSlurm) as campaign:
        one = campaign("plain", [[BOARDS[0]]], LONG)
        first = one.begin("0001")
        one.await_entries("0001")
        second = one.begin("0001")  # as where a node was taken for dead
        await_that("it has begun", lambda: len(one.state_file("0001")["visits"]) == 2)
        one.let_go("0001")
        assert first.wait() == 0
        assert "a newer attempt has begun" in one.log("0001"), one.log("0001")

        def further(process, signal_, status, why):
            measured = len(one.entries("0001"))
            await_that("it goes on", lambda: len(one.entries("0001")) > measured)
            one.hold("0001")
            process.send_signal(signal_)
            one.let_go("0001")
            assert process.wait() == status
            assert one.state_file("0001")["state"] == "waiting" and why in one.state_file("0001")["why"]

        further(second, signal.SIGUSR1, 75, "the time limit was near")
        further(one.begin("0001"), signal.SIGINT, 130, "told to end")
        assert one.begin("0001").wait() == 0
        one.check_whole("0001")
        assert len(one.state_file("0001")["visits"]) == 4 and one.states() == {"0001": "done"}
        wrong = campaign("refused", [[BOARDS[0]]], 1001)
        assert wrong.begin("0001").wait() == 2
        assert wrong.shards()["0001"]["why"] == "--rounds: Value 1001 not in range 1 to 1000", wrong.shards()
        assert one.begin("0001").wait() == 0  # nothing is left to do
        assert len(one.state_file("0001")["visits"]) == 4


def suspended_and_timed_out():
    """A job that is suspended drops what it measured meanwhile; one whose time ends goes on in another job."""
    with slurm.Slurm(nodes=("n1", "n2")) as cluster, campaigns(cluster) as campaign:
        one = campaign("suspended", [[BOARDS[0]]], LONG)
        # Slurm may warn a minute before it was asked to.
        timed = campaign("timed", [BOARDS], 1000, time_limit=120)
        timed.says("submit")
        one.says("submit")
        one.await_entries("0001")
        one.let_go("0001")
        task = one.shards()["0001"]["job"]
        cluster.says("scontrol", "suspend", task)
        # The shard takes a gap of some seconds for a suspension.
        time.sleep(8)
        cluster.says("scontrol", "resume", task)
        await_that("it says so", lambda: "the job was suspended" in one.log("0001"))
        one.await_standing("0001")
        one.check_whole("0001")

        def goes_on():
            state = timed.state_file("0001")
            if state["state"] == "failed":  # so busy a machine that the warning came before the first time
                assert "the time limit came before" in state["why"], state
                timed.says("submit", "--failed")
            assert state["state"] != "done", "it was too fast"
            return timed.entries("0001") and len(timed.provenance("0001").get("segments", [])) > 1

        await_that("it goes on in another job", goes_on)
        assert "the time limit was near" in timed.log("0001"), timed.log("0001")
        timed.says("cancel")
        await_that("it ends", lambda: not cluster.queue())
        assert timed.states() == {"0001": "cancelled"}


def mount(*words):
    return subprocess.run(words, text=True, capture_output=True)


def scratch():
    """A node's scratch is full, at first and in mid-run: one sentence, what was measured is kept, and it resumes."""
    with slurm.Slurm(nodes=("n1",)) as cluster, campaigns(cluster) as campaign:
        with tempfile.TemporaryDirectory(prefix="podium-small-disk-") as folder:
            done = mount("mount", "-t", "tmpfs", "-o", "size=64m,mode=755", "none", folder)
            if done.returncode != 0:
                print(f"needs the right to mount a small disk: {done.stderr}", file=sys.stderr)
                sys.exit(77)
            try:
                full_scratch(cluster, campaign, pathlib.Path(folder))
            finally:
                mount("umount", "--lazy", folder)


def full_scratch(cluster, campaign, folder):
    ballast = folder / "ballast"

    def fill():
        with open(ballast, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))

    one = campaign("full", [[BOARDS[0]]], LONG, scratch=str(folder))
    fill()
    one.says("submit")
    one.await_standing("0001", standing="failed")
    why = one.shards()["0001"]["why"]
    assert "No space left on device" in why and str(folder) in why, why
    assert "nothing to submit" in one.says("submit")
    ballast.unlink()
    one.says("submit", "--failed")
    one.await_entries("0001")
    fill()
    one.let_go("0001")
    one.await_standing("0001", standing="failed")
    why = one.shards()["0001"]["why"]
    assert "No space left on device" in why, why
    measured = len(one.entries("0001"))
    assert measured > 0
    ballast.unlink()
    one.says("submit", "--failed")
    one.await_standing("0001")
    one.check_whole("0001")
    assert len(one.provenance("0001")["segments"]) == 2
    await_that("the job has ended", lambda: not cluster.queue())
    assert not list(folder.iterdir()), "a shard left its scratch"


SCENARIOS = {one.__name__: one for one in (array, recovery, preemption, plain, suspended_and_timed_out, scratch)}


def main():
    if not all(map(slurm.tool, ("munged", "slurmctld", "slurmd"))):
        print(slurm.MISSING, file=sys.stderr)
        sys.exit(1 if os.environ.get("PODIUM_TEST_CLUSTER") else 77)
    slurm.end_in_order()
    SCENARIOS[sys.argv[2]]()


main()
