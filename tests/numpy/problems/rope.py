# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("x(t, h, d - head_dim / 2) * table(position(t), d)", "x(t, h, d - head_dim / 2) * table(position(t), d - 1)")


def turned(w):
    """As products of complex numbers; and the absolute values of the two terms of each element, added."""
    half = w.head_dim // 2
    x, table = w.x[:, :, :half] + 1j * w.x[:, :, half:], w.table[:, :half] + 1j * w.table[:, half:]
    angle = table[w.position][:, None]
    y = x * angle
    real = numpy.abs(x.real * angle.real) + numpy.abs(x.imag * angle.imag)
    imaginary = numpy.abs(x.imag * angle.real) + numpy.abs(x.real * angle.imag)
    return numpy.concatenate([y.real, y.imag], 2), numpy.concatenate([real, imaginary], 2)


def outputs(w):
    return {"y": turned(w)[0]}


def magnitudes(w):
    return {"y": turned(w)[1]}
