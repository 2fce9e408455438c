#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""faults_test.py HIPCC STAND_IN TARGET: planted mistakes are caught, each with its sentence; mended, they are right."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from stand_in import build, stand_in_environment

HERE = Path(__file__).resolve().parent
WAVE_64 = ("gfx90a", "gfx942", "gfx950")
CAUGHT = {
    "global_overrun": r"kernel global_overrun, block \(0,0,0\), thread \(255,0,0\), \w*store\w*.* at 0x[0-9a-f]+: "
    r"reaches 4 bytes of global memory at 0x[0-9a-f]+: .*hipMalloc of 1020 bytes",
    "load_overrun": r"kernel load_overrun, block \(0,0,0\), thread \(254,0,0\), global_load\w*.* at 0x[0-9a-f]+: "
    r"reaches 4 bytes of global memory at 0x[0-9a-f]+: .*hipMalloc of 1020 bytes",
    "atomic_overrun": r"kernel atomic_overrun, block \(0,0,0\), thread \(15,0,0\), global_atomic_add.* at 0x[0-9a-f]+: "
    r"reaches 4 bytes of global memory at 0x[0-9a-f]+: it lies 0 bytes behind .*hipMalloc of 60 bytes",
    "flat_overrun": r"kernel flat_overrun, block \(0,0,0\), thread \(254,0,0\), flat_load.* at 0x[0-9a-f]+: "
    r"reaches 4 bytes of global memory at 0x[0-9a-f]+: it lies 0 bytes behind .*hipMalloc of 1020 bytes",
    "scalar_overrun": r"kernel scalar_overrun, .*s_load.* at 0x[0-9a-f]+: reaches 4 bytes of global memory at "
    r"0x[0-9a-f]+: it lies 0 bytes behind .*hipMalloc of 1020 bytes",
    "scalar_ahead": r"kernel scalar_ahead, .* at 0x[0-9a-f]+: uses what a scalar load took from 4 bytes of global memory "
    r"at 0x[0-9a-f]+: it lies 0 bytes behind .*hipMalloc of 1020 bytes",
    "buffer_overrun": r"kernel buffer_overrun, block \(0,0,0\), thread \(0,0,0\), buffer_load.* at 0x[0-9a-f]+: "
    r"reaches 16 bytes of global memory at 0x[0-9a-f]+: it ends 8 bytes behind .*hipMalloc of 1020 bytes",
    "lds_overrun": r"kernel lds_overrun.*ds_\w+.*: reaches 4 bytes of shared memory \(LDS\) at 1024, of which the group has 1024",
    "missing_barrier": r"kernel missing_barrier.*(wrote|before anybody wrote it|no barrier between)",
    "missing_second_barrier": r"kernel missing_second_barrier.*no barrier between: add __syncthreads",
    "unset_lds": r"kernel unset_lds.*was never written: .* read shared memory \(LDS\) at \d+ before anybody wrote it",
    "unset_register": r"kernel unset_register, .*stores to 0x[0-9a-f]+ what was never written: a register",
    "unset_padding": r"kernel unset_padding.*was never written: .* read shared memory \(LDS\) at \d+ before anybody wrote it",
    "deadlock": r"kernel deadlock.*waits for ever: no wave",
    "idle_stores": r"kernel idle_stores.*waits for ever: no wave",
}
# Of a scalar register that was never written; its program is unwritten.hip.
UNWRITTEN = {
    "value": r"kernel .*uses.*, global_store\w*.*stores to 0x[0-9a-f]+ what was never written: a register",
    "branch": r"kernel .*uses.*, s_cmp\w*.* depends on s\d+, a scalar register that was never written",
    "far": r"kernel .*uses.*, s_cmp\w*.* depends on s\d+, a scalar register that was never written",
    "sum": r"kernel .*uses.*, global_store\w*.*stores to 0x[0-9a-f]+ what was never written: a register",
    "compared": r"kernel .*uses.*, v_cmpx\w*.* depends on s\d+, a scalar register that was never written",
    "address": r"kernel .*uses.*, \w+load\w*.* depends on s\d+, a scalar register that was never written",
    "mask": r"kernel .*uses.*, global_store\w*.*stores to 0x[0-9a-f]+ what was never written: a register",
    "exec": r"kernel .*uses.*, s_xor.* depends on s\d+, a scalar register that was never written",
    "lanes": r"^right$",
    "carry": r"^right$",
    "other_word": r"^right$",
    "word": r"kernel .*uses.*, global_store\w*.*stores to 0x[0-9a-f]+ what was never written: a register",
}
WRONG_ON_WAVE_64 = ("waves_of_32", "narrow_mask")


def main() -> int:
    hipcc, stand_in, target = sys.argv[1:]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("faults", "unwritten"):
            build(hipcc, "-std=c++20", "-O2", f"--offload-arch={target}", str(HERE / f"{name}.hip"), out=Path(folder, name))
        environment = stand_in_environment(stand_in, target, folder)

        def said(*arguments: str, program: str = "faults") -> str:
            done = subprocess.run([str(Path(folder, program)), *arguments], env=environment, capture_output=True, text=True, timeout=900)
            return done.stdout.strip() if done.returncode == 0 else f"exit status {done.returncode}: {done.stderr}"

        def expect(what: str, found: str, good: bool) -> None:
            nonlocal failures
            print(f"{'ok' if good else 'FAILED'}  {target} {what}: {found}", flush=True)
            failures += not good

        for name, pattern in CAUGHT.items():
            found = said(name)
            expect(name, found, re.search(pattern, found) is not None)
            expect(name + " mended", found := said(name, "mended"), found == "right")
        for name, pattern in UNWRITTEN.items():
            found = said(name, program="unwritten")
            expect(f"unwritten {name}", found, re.search(pattern, found) is not None)
            expect(f"unwritten {name} mended", found := said(name, "mended", program="unwritten"), found == "right")
        for name in WRONG_ON_WAVE_64:
            expect(name, found := said(name), found == ("wrong" if target in WAVE_64 else "right"))
            expect(name + " mended", found := said(name, "mended"), found == "right")
        for name in ("stacks", "wave_number", "look_back", "clocks"):
            expect(name, found := said(name), found == "right")
        other = "gfx1100" if target == "gfx942" else "gfx942"  # of which the program has no code
        environment["PODIUM_EMULATED"] = other
        found = said("look_back")
        expect(f"as {other}", found, re.search(rf"^hipErrorNoBinaryForGpu: kernel .*look_back.*: it holds code for {target}, none for {other}$", found) is not None)
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
