#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""unpack_wheel.py WHEEL PREFIX=FOLDER...: writes the members of a wheel that begin with PREFIX below FOLDER."""

import pathlib
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as wheel:
    for prefix, folder in (pair.split("=", 1) for pair in sys.argv[2:]):
        members = [name for name in wheel.namelist() if name.startswith(prefix) and not name.endswith("/")]
        if not members:
            sys.exit(f"unpack_wheel.py: {sys.argv[1]} holds nothing that begins with {prefix}")
        for name in members:
            target = pathlib.Path(folder, name[len(prefix) :])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(wheel.read(name))
