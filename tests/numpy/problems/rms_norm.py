# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("/ hidden + epsilon", "/ hidden + 2 * epsilon")


def summed(w):
    total = w.residual + w.x
    return total, (total * total).sum(1)


def outputs(w):
    total, square = summed(w)
    return {"residual": total, "y": w.weight * total / numpy.sqrt(square / w.hidden + 1e-6)[:, None]}


def references(w, given):
    y = outputs(w)["y"]
    energy = (y * y).sum(1)
    # A difference of nearly equal numbers: rounding in fp64, 1e-14 of y, is not small beside it.
    scale = (numpy.abs(given.y - y) + 1e-2 * numpy.abs(y)) * numpy.abs(y)
    floor = numpy.maximum(energy, 1e-300)
    return {
        "square": summed(w)[1],
        "energy": energy,
        "checks.scale": (((given.y - y) * y).sum(1) / floor, scale.sum(1) / floor),
    }
