# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The version of the headers, as share/hip/version states it; any request is taken as met.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../../../share/hip/version" _lines)
list(TRANSFORM _lines REPLACE "^.*=" "")
list(JOIN _lines "." PACKAGE_VERSION)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
unset(_lines)
