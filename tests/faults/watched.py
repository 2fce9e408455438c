# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""One `podium run` under watch: what it has recorded so far, its processes, and what it leaves behind.

The process that imports this adopts whatever podium loses, so that nothing which is left can hide; it is best alone in
a mount namespace (`alone`), where /tmp and /dev/shm hold nothing but what the run has put there.
"""
import ctypes
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROBLEMS = pathlib.Path(__file__).resolve().parent / "problems"
PROBLEM = "doubling"
HONEST, SLOW, WRONG = ("loop", "half_millisecond"), ("half_millisecond", 500.0), "one_off"
DOUBTS = ("clock", "not attested")
ENTRIES = 5 + 6  # verification of three, one of which is out at its first workload; two rounds of two and the twin
PATIENCE = 30.0  # seconds for processes to end
PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("this system lets no process adopt orphans (prctl)")


def mounts(what: list[str]) -> bool:
    return subprocess.run(["mount", *what], check=False).returncode == 0


def alone() -> bool:
    """Gives this process a view of its own, /tmp and /dev/shm empty but for the checkout, if that lies there. False:
    this machine does not grant it."""
    if os.environ.get("PODIUM_FAULTS_ALONE") == "1":
        aside = tempfile.mkdtemp(prefix="podium-faults-", dir="/var/tmp")
        mounts(["--bind", str(ROOT), aside])
        covered = all(mounts(["-t", "tmpfs", "tmpfs", folder]) for folder in ("/tmp", "/dev/shm"))
        if not ROOT.exists():
            ROOT.mkdir(parents=True)
            covered = covered and mounts(["--bind", aside, str(ROOT)])
        subprocess.run(["umount", aside], check=True)
        os.rmdir(aside)  # empty: what was mounted there is safe
        return covered
    granted = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0
    if not granted:
        return False
    environment = {**os.environ, "PODIUM_FAULTS_ALONE": "1"}
    os.execvpe("unshare", ["unshare", "--mount", sys.executable, *sys.argv], environment)


def leftovers() -> list[str]:
    """Shared memory, and folders of workers."""
    shared = [str(file) for file in pathlib.Path("/dev/shm").iterdir()]
    return shared + [str(folder) for folder in pathlib.Path("/tmp").glob("podium-scratch-*")]


def _stat(pid: int) -> tuple[int, str]:
    """Parent and state; (0, "") of a process that has gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return int(fields[1]), fields[0]
    except (OSError, IndexError):
        return 0, ""


def descendants(of: int) -> list[int]:
    """All that live, nearest first."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            parent, state = _stat(int(name))
            if state not in ("", "Z"):
                children.setdefault(parent, []).append(int(name))
    found = list(children.get(of, []))
    for pid in found:
        found += children.get(pid, [])
    return found


def name_of(pid: int) -> str:
    try:
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return pathlib.Path(words[0].decode(errors="replace")).name
    except OSError:
        return ""


class Run:
    """podium, started on the problem of faults, its results in `results`; all contestants, or those named."""

    def __init__(
        self,
        podium: pathlib.Path,
        results: pathlib.Path,
        rounds: int = 2,
        device: str = "host",
        contestants: tuple[str, ...] = (),
        **environment: str,
    ) -> None:
        self.results = results
        self.command = [str(podium), "run", PROBLEM, "--problems", str(PROBLEMS), "--device", device, "--quick"]
        self.command += ["--rounds", str(rounds), "--results", str(results), "--cold-only", "--quiet"]
        for name in contestants:
            self.command += ["--contestant", name]
        self.output = open(results.parent / f"{results.name}.out", "w+")
        self.process = subprocess.Popen(
            self.command, stdout=self.output, stderr=self.output, env={**os.environ, **environment}
        )

    def folder(self) -> pathlib.Path | None:
        return next((file.parent for file in self.results.glob("*/*/entries.jsonl")), None)

    def recorded(self) -> bytes:
        """The whole lines of entries.jsonl, which podium has said are there."""
        folder = self.folder()
        text = folder.joinpath("entries.jsonl").read_bytes() if folder else b""
        return text[: text.rfind(b"\n") + 1]

    def victims(self, name: str) -> list[int]:
        if name == "podium":
            return [self.process.pid] if self.process.poll() is None else []
        return [pid for pid in descendants(self.process.pid) if name_of(pid).startswith(f"podium-{name}")]

    def wait(self, seconds: float = 120) -> int:
        """Exit status, negative for a signal; TimeoutExpired is a hang."""
        return self.process.wait(seconds)

    def said(self) -> str:
        self.output.seek(0)
        return self.output.read()

    def close(self) -> None:
        """Whatever happened, nothing of this run lives on."""
        self.output.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for pid in descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def processes_left() -> list[str]:
    """What has not ended of all that this process adopted, after a while."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
        left = descendants(os.getpid())
        if not left or time.monotonic() > end:
            return [f"{name_of(pid)} ({pid})" for pid in left]
        time.sleep(0.01)


def faults_of(recorded: bytes, excused: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """What is wrong with entries, and what the judge's clock did not bear out, as happens on a machine that is busy.

    `excused`: verdicts that one contestant may have beside its own, on its last row, which may speak of a workload
    that it had finished."""
    faults, doubts, seen, hit = [], [], set(), set()
    for number, line in enumerate(recorded.splitlines(), 1):
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as error:
            faults.append(f"line {number} cannot be read: {error}")
            continue
        contestant, verdict = entry["contestant"], entry["verdict"]
        key = contestant, entry["twin"], entry["round"], entry["workload"]
        if key in seen and verdict not in excused:
            faults.append(f"line {number} repeats {key}")
        if key[:2] in hit:
            faults.append(f"line {number}: {contestant} goes on after it had failed")
        seen.add(key)
        if verdict in excused:
            hit.add(key[:2])
            continue  # what it had measured on that workload is no entry
        if contestant in HONEST and verdict in DOUBTS:
            doubts.append(f"{contestant} is {verdict}: {entry['text']}")
            continue
        if contestant in HONEST and verdict != "right" or contestant == WRONG and verdict != "wrong":
            faults.append(f"line {number}: {contestant} is {verdict}: {entry['text']}")
        times = entry["microseconds"]
        if verdict == "right" and entry["round"] >= 0 and not times:
            faults.append(f"line {number} has no times")
        if times and not min(times) <= entry["median"] <= max(times):
            faults.append(f"line {number}: median {entry['median']} of {times}")
        if times and abs(statistics.median(times) - entry["median"]) > 1e-6 * entry["median"]:
            faults.append(f"line {number}: median {entry['median']}, expected {statistics.median(times)}")
        if contestant == SLOW[0] and times and min(times) < SLOW[1]:
            faults.append(f"line {number}: {contestant} took {min(times)} µs, which it never does")
    if len(hit) > 1:
        faults.append(f"one fault cost {len(hit)} contestants their rows: {sorted(hit)}")
    return faults, doubts
