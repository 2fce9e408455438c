# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# PyTorch for the CPU as a distribution package: what tests of imported tasks need. It belongs to /usr/bin/python3, which
# PODIUM_PYTHON then names. PyPI's packages take 3 GB more, since they bring CUDA.

torch_packages=(python3-torch python3-numpy)
