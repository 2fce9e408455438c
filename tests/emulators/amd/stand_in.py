# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How a program is started on an emulated AMD device."""

import os


def stand_in_environment(stand_in: str, target: str, cache: str) -> dict[str, str]:
    """The stand-in in the folder `stand_in` is found as HIP's runtime; translations are kept in `cache`, unless the test's own
    environment names a folder."""
    return {"PODIUM_EMULATOR_CACHE": cache} | os.environ | {"LD_LIBRARY_PATH": stand_in, "PODIUM_EMULATED": target}
