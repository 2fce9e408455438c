# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a task's own code in a child process, so that one that hangs or crashes costs one task."""

import multiprocessing
import signal

from podium_import.common import Refused


def in_child(work, seconds):
    """What `work` returns. Raises Refused where it does, or where the child crashes or takes too long."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)

    def child():
        try:
            there.send((True, work()))
        except Refused as reason:
            there.send((False, str(reason)))
        except BaseException as fault:  # noqa: BLE001  whatever a task raises
            there.send((False, f"{type(fault).__name__}: {' '.join(str(fault).split())[:300]}"))

    process = context.Process(target=child)
    process.start()
    there.close()
    try:
        right, answer = here.recv() if here.poll(seconds) else (False, f"its code gave no answer in {seconds} s")
    except EOFError:
        process.join(5)
        code = process.exitcode
        how = signal.Signals(-code).name if code is not None and code < 0 else f"exit status {code}"
        right, answer = False, f"its code ended the process: {how}"
    process.kill()
    process.join()
    if not right:
        raise Refused(answer)
    return answer
