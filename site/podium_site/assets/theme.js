// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Before anything is drawn: scripts run here, and the reader's choice of colours.
document.documentElement.classList.add("js");
try {
  const chosen = localStorage.getItem("podium-theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch {
  // A browser may forbid storage; the system's colours remain.
}
