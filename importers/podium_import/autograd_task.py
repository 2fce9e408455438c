# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Calls the parts of a backward task of robust-kbench: its Model, and its AutogradFunction's forward. Importers use it,
and copy it into problems' folders.
"""

import contextlib

import torch


class Context:
    """What AutogradFunction.forward leaves for backward."""

    def __init__(self):
        self.saved_tensors = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def _nothing(self, *_):
        pass

    mark_dirty = mark_non_differentiable = set_materialize_grads = _nothing


def arguments_of(model, values):
    """Those with which Model calls its function."""
    given = []

    class Enough(Exception):
        pass

    def take(*arguments):
        given.extend(arguments)
        raise Enough

    with torch.no_grad(), contextlib.suppress(Enough):
        model(*values, fn=take)
    return given


def forward(function, model, values):
    """(output, context, arguments) of the task's AutogradFunction, `function`."""
    arguments, context = arguments_of(model, values), Context()
    with torch.no_grad():
        output = function.forward(context, *arguments)
    return output, context, arguments
