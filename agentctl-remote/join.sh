#!/bin/sh
# Joins this machine to a Reprise control plane, which serves this file and the programs:
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

# Shells need a native part: the control plane serves that of its own platform, npm has the others.
platform=$("$node" -p 'process.platform + "-" + process.arch')
native() { # its file in npm's package, its name beside the programs
  if ! curl -fsSL "$origin/agentctl/$2" -o "$bin/$2.new" 2>/dev/null; then
    [ -d "$bin/package" ] || (cd "$bin" && tar -xzf "$(npm pack --silent "@lydell/node-pty-$platform@1.1.0")") 2>/dev/null || return 1
    cp "$bin/package/$1" "$bin/$2.new" || return 1
  fi
  chmod 755 "$bin/$2.new"
  mv "$bin/$2.new" "$bin/$2"
}
native pty.node "pty-$platform.node" || echo "This machine ($platform) will have no shells in the browser; all else works." >&2
case $platform in darwin-*) native spawn-helper "spawn-helper-$platform" || true ;; esac
rm -rf "$bin/package" "$bin"/lydell-node-pty-*.tgz

printf '#!/bin/sh\nexec "%s" "%s/agentctl.mjs" "$@"\n' "$node" "$bin" > "$bin/agentctl"
chmod 755 "$bin/agentctl"

"$bin/agentctl" join "$origin" "$token" --state "$state" ${3:+--replace "$3"}
"$bin/agentctl" up --state "$state"
echo "The command is $bin/agentctl: 'doctor' finds what is missing, 'service install' starts it with the machine."
