#!/usr/bin/env bash
# Runs a command in a copy of this clone, as an ordinary user, on this machine without the files of some packages:
#   scripts/machines/bare-machine.sh "chromium nats-server" npm test
# Needs root and Linux: the files disappear in a mount namespace of the command. Exits with 2 if this machine cannot do
# that. Packages may be patterns; those that are not installed are ignored.
set -euo pipefail
cd "$(dirname "$0")/../.."

user=nobody
packages=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

can_hide() {
  [ "$(id -u)" = 0 ] && command -v dpkg-query setpriv >/dev/null &&
    unshare --mount mount -t overlay overlay -o "$(layers)" /usr 2>/dev/null
}

# The upper layer must not be on an overlay, such as the root of a container.
layers() {
  mkdir -p /dev/shm/botstead-bare/upper /dev/shm/botstead-bare/work
  echo "lowerdir=/usr,upperdir=/dev/shm/botstead-bare/upper,workdir=/dev/shm/botstead-bare/work"
}

# Prints the files of the packages, and the alternatives that lead to them.
list_files() {
  set -f
  # shellcheck disable=SC2086
  dpkg-query -W -f '${db:Status-Status} ${Package}\n' $packages 2>/dev/null |
    awk '$1 == "installed" { print $2 }' | xargs -r dpkg -L | grep '^/usr/' | sort -u
}

can_hide || { echo "cannot hide packages: needs root, dpkg and overlay mounts"; exit 2; }
list_files >"$folder/files"
chmod 755 "$folder"
cp -a . "$folder/clone"
mkdir "$folder/home"
chown -R "$user" "$folder"

mount_options=$(layers) folder=$folder user=$user unshare --mount bash -euc '
  mount -t overlay overlay -o "$mount_options" /usr
  while read -r file; do
    if [ -f "$file" ] || [ -L "$file" ]; then rm -f "$file"; fi
  done <"$folder/files"
  cd "$folder/clone"
  HOME="$folder/home" exec setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups "$@"
' bash "$@" && status=0 || status=$?
rm -rf /dev/shm/botstead-bare
exit "$status"
