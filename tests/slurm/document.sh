#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# document.sh SOURCE PODIUM: follows docs/cluster.md from nothing to a site, word for word, on a Slurm of three nodes.
set -euo pipefail
source=$1 podium=$2
source "$source/scripts/common.sh"
for program in slurmctld slurmd munged "$prefix/publish/bin/python3"; do
  PATH=$PATH:/usr/sbin has "$program" && continue
  echo "needs $program: scripts/setup --cluster --publish" >&2
  [ -n "${PODIUM_TEST_CLUSTER:-}" ] && exit 1
  exit 77
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
cd "$scratch"

# A checkout as far as the document uses one: its problems, and scripts/podium with the program already built. What the
# document installs runs no contestants in Python. A plan gets what earlier runs of this test compiled.
mkdir -p kernels scripts
cp -r "$source"/kernels/{sum,vector_add} kernels/
rm kernels/*/*.py
cat >scripts/podium <<END
#!/bin/sh
export PODIUM_PROBLEMS="$scratch/kernels" PODIUM_RESULTS="$scratch/results"
"$podium" "\$@" || exit
[ "\$2" != plan ] || python3 -B "$source/tests/slurm/campaign.py" give nightly
END
printf '#!/bin/sh\n' >scripts/setup # both are installed
chmod +x scripts/podium scripts/setup

"$source/tests/docs/blocks.sh" "$source/docs/cluster.md" 'From nothing to a site' >steps
export TMPDIR=$scratch # the nodes', too
python3 -B "$source/tests/slurm/slurm.py" bash -euxo pipefail steps || {
  cat nightly/shards/*/log nightly/jobs/*.log >&2 || true
  exit 1
}
python3 -B "$source/tests/slurm/campaign.py" keep nightly
for problem in sum vector_add; do
  grep -q "$problem" public/index.html || { echo "the site has no $problem" >&2 && exit 1; }
done
