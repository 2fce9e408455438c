# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
