# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Logs, and warns of rounding" }

# expect: right
# needs: python
# with: --setup-timeout 60
import io
import logging
import warnings

import numpy as np

logging.basicConfig(level=logging.DEBUG)
log = logging.getLogger(__name__)
log.addHandler(logging.StreamHandler(io.StringIO()))
logging.captureWarnings(True)


def run(a, b, c):
    log.debug("adding %s", a.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("each sum is rounded")
    np.add(a, b, out=c)
    log.info("added")
