#!/bin/bash
# make study: what is missing, then a job of doc/studies in the lab; interrupted, the
# same command goes on.  Arguments: cellbench, the job's name or file, a limit or "".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cellbench=$1 job=$2 limit=$3
if [ "$(id -u)" != 0 ]; then
	echo "study: the lab needs root; run: sudo make study JOB=$job" >&2
	exit 3
fi
case $job in
*.ini) file=$job ;;
*) file=doc/studies/$job.ini ;;
esac
if [ ! -r "$file" ]; then
	echo "study: no job $job; there are: $(basename -s .ini doc/studies/*.ini | xargs)" >&2
	exit 2
fi
bash src/deps.sh build lab mpi fs
bash src/openafs.sh >/dev/null
if [ "$file" -nt "$cellbench" ] || ! "$cellbench" --version | grep -q 'afs'; then
	"${MAKE:-make}" --no-print-directory all
fi
out=build/studies/$(basename -s .ini "$file")
code=0
"$cellbench" study "$file" -o "$out" ${limit:+--limit "$limit"} || code=$?
# What sudo made is still the user's.
[ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" build || :
exit "$code"
