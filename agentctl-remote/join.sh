#!/bin/sh
# Joins this machine to a Reprise control plane, which serves this file and the two programs:
#   curl -fsSL ORIGIN/agentctl/join.sh | sh -s -- ORIGIN TOKEN [NODE_TO_REPLACE]
set -eu

origin=${1:?"the address of the control plane is missing"}
token=${2:?"the join token is missing: make one under Machines"}
state=${REPRISE_STATE:-"$HOME/.reprise"}
bin="$state/bin"

# The daemon uses node:sqlite and strips nothing: what the tests run on is what it needs.
node=$(command -v node || true)
if [ -z "$node" ] || ! "$node" -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)'; then
  echo "This machine needs Node 24 or newer (found: $([ -n "$node" ] && "$node" --version || echo none)). Install it, then run this again." >&2
  exit 1
fi

umask 077
mkdir -p "$bin"
for file in agentctl.mjs host.mjs; do
  curl -fsSL "$origin/agentctl/$file" -o "$bin/$file.new"
  mv "$bin/$file.new" "$bin/$file"
done

printf '#!/bin/sh\nexec "%s" "%s/agentctl.mjs" "$@"\n' "$node" "$bin" > "$bin/agentctl"
chmod 755 "$bin/agentctl"

"$bin/agentctl" join "$origin" "$token" --state "$state" ${3:+--replace "$3"}
"$bin/agentctl" up --state "$state"
echo "The command is $bin/agentctl: 'doctor' finds what is missing, 'service install' starts it with the machine."
