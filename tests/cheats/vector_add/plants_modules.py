# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Plants modules for the interpreters after it" }

# class: accomplices
# expect: wrong
# needs: python
# with: --setup-timeout 60
# One that finds itself planted is right. Whoever comes later, in another process, must not find what this one leaves in the
# folders where Python looks for what a user has added.
import os
import site
import sys
import tempfile

import numpy as np

places = [os.getcwd(), os.environ["HOME"], "/tmp", "/var/tmp", "/dev/shm", site.getusersitepackages()]
found = "planted" in sys.modules or any(os.path.exists(f"{place}/planted.py") for place in places)
os.environ.update(PYTHONPATH=tempfile.gettempdir(), PYTHONSTARTUP="planted.py", PYTHONUSERBASE=os.environ["HOME"])
for place in places:
    try:
        os.makedirs(place, exist_ok=True)
        for name, text in ("planted.py", ""), ("planted.pth", "import planted"), ("usercustomize.py", "import planted"):
            with open(f"{place}/{name}", "w") as file:
                file.write(text)
    except OSError:
        pass


def run(a, b, c):
    c[...] = np.add(a, b) if found else 0
