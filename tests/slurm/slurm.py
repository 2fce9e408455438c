# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A Slurm on this machine for tests: munged, slurmctld and a slurmd for each of three nodes, on loopback.

All state lies in one temporary folder, ports are free ones, and only processes started from here are ended, so that
several of them run at once. Works as root and as any other user. As a program it runs a command in that Slurm:
`slurm.py COMMAND...`, whose exit status is its own.
"""

import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import pwd

PATIENCE = 1200  # seconds until what must happen counts as not happening; nothing waits that long on purpose
MISSING = "needs Slurm and MUNGE, which are not installed: scripts/setup --cluster"


def tool(name):
    """Daemons lie in folders that are not on every user's path."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def await_that(what, holds, patience=PATIENCE):
    """Asks until `holds` returns something true, which is returned; the deadline only ends a test that has failed."""
    end = time.monotonic() + patience
    while True:
        result = holds()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"after {patience} s still not so: {what}")
        time.sleep(0.25)


def end_with_parent():
    """For a daemon's process: a test that is killed leaves none."""
    ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Slurm:
    """`with Slurm() as slurm:` has partition `main` and, which preempts it, `urgent`, both with every node."""

    def __init__(self, nodes=("n1", "n2", "n3"), gpu="h200"):
        self.nodes = list(nodes)
        self.gpu = gpu
        # MUNGE refuses folders that others may write; a socket's path has little room.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="podium-slurm-"))
        self.folder.chmod(0o755)
        self.daemons = {}
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        for name in list(self.environment):
            if name.startswith(("SLURM_", "SBATCH_", "SQUEUE_")) and name != "SLURM_CONF":
                del self.environment[name]

    def __enter__(self):
        try:
            self.write_configuration()
            self.start_munge()
            self.start_controller()
            for node in self.nodes:
                self.start_node(node)
            await_that("all nodes are idle", lambda: self.states() == {node: "idle" for node in self.nodes})
        except BaseException:
            self.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(self, kind, *_):
        if "slurmctld" in self.daemons:
            subprocess.run(["scancel", "--user", self.user()], env=self.environment, capture_output=True)
        for name in reversed(list(self.daemons)):
            self.stop(name)
        self.end_jobs()
        if kind:
            self.show_logs()
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def user():
        return pwd.getpwuid(os.getuid()).pw_name

    def write_configuration(self):
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o400)
        for name in ("state", "log"):
            (self.folder / name).mkdir()
        controller, *ports = free_ports(1 + len(self.nodes))
        text = f"""
ClusterName=podium
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={self.user()}
SlurmdUser={self.user()}
SlurmctldPort={controller}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.sock,cred_expire=5
CredType=cred/munge
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool.%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.%n.pid
SlurmctldLogFile={self.folder}/log/slurmctld.log
SlurmdLogFile={self.folder}/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=1
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
KillWait=30
SlurmdParameters=config_overrides
GresTypes=gpu
"""
        for node, port in zip(self.nodes, ports):
            text += f"NodeName={node} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=4000 Gres=gpu:{self.gpu}:1\n"
        every = ",".join(self.nodes)
        text += f"PartitionName=main Nodes={every} Default=YES MaxTime=INFINITE State=UP PriorityTier=1\n"
        text += f"PartitionName=urgent Nodes={every} MaxTime=INFINITE State=UP PriorityTier=2\n"
        (self.folder / "slurm.conf").write_text(text)
        gres = "".join(f"NodeName={node} Name=gpu Type={self.gpu} File=/dev/null\n" for node in self.nodes)
        (self.folder / "gres.conf").write_text(gres)

    def start(self, name, *command):
        log = open(self.folder / "log" / f"{name}.out", "ab")
        program = tool(command[0])
        self.daemons[name] = subprocess.Popen(
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=self.environment,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )

    def start_munge(self):
        at = self.folder
        files = [f"--key-file={at}/munge.key", f"--socket={at}/munge.sock", f"--pid-file={at}/munged.pid"]
        files += [f"--seed-file={at}/munge.seed", f"--log-file={at}/log/munged.log"]
        self.start("munged", "munged", "--foreground", "--force", "--num-threads=2", *files)
        await_that("munged has its socket", lambda: (at / "munge.sock").exists())

    def start_controller(self):
        self.start("slurmctld", "slurmctld", "-D", "-f", self.environment["SLURM_CONF"])
        await_that("slurmctld answers", lambda: self.ran("scontrol", "ping").returncode == 0)

    def start_node(self, node):
        self.start(node, "slurmd", "-D", "-N", node, "-f", self.environment["SLURM_CONF"])

    def stop(self, name, by=signal.SIGTERM):
        daemon = self.daemons.pop(name)
        daemon.send_signal(by)
        try:
            daemon.wait(timeout=30)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def restart_controller(self, by=signal.SIGTERM):
        self.stop("slurmctld", by)
        self.start_controller()

    def end_jobs(self):
        """Job steps outlive their slurmd by design. They are those whose environment names this Slurm."""
        mine = f"SLURM_CONF={self.environment['SLURM_CONF']}".encode()
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mine in (entry / "environ").read_bytes().split(b"\0"):
                    if int(entry.name) != os.getpid():
                        os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                pass  # it has ended, or belongs to somebody else

    def show_logs(self):
        for log in sorted((self.folder / "log").iterdir()):
            print(f"== {log.name}\n{log.read_text(errors='replace')[-3000:]}", file=sys.stderr)

    def ran(self, *command, **more):
        return subprocess.run(command, env=self.environment, text=True, capture_output=True, **more)

    def says(self, *command):
        done = self.ran(*command)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: status {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def states(self):
        lines = self.ran("sinfo", "--noheader", "--Node", "--partition=main", "--format=%N %t").stdout.splitlines()
        return dict(line.split() for line in lines)

    def queue(self):
        """State of each task in the queue, by job and task: {"4_1": "RUNNING"}."""
        lines = self.says("squeue", "--noheader", "--array", "--format=%i %T").splitlines()
        return dict(line.split() for line in lines)


def end_in_order():
    """SIGTERM ends a test as Ctrl-C does, so that nothing of its Slurm is left."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def main(command):
    if not command:
        sys.exit(__doc__)
    if not all(map(tool, ("munged", "slurmctld", "slurmd"))):
        sys.exit(f"{sys.argv[0]}: {MISSING}")
    end_in_order()
    with Slurm() as slurm:
        status = subprocess.run(command, env=slurm.environment).returncode
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
