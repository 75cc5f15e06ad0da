/** Runs programs in the root of another system as a container runtime does: as its user, with a root to read only. */

/** A folder of this machine, and where the container sees it. */
export type Mount = { readonly source: string; readonly target: string }

/** What a container is made of. */
export type Container = {
  /** The root. */
  readonly system: string
  /** The number of user and group. */
  readonly user: number
  readonly mounts: readonly Mount[]
  /** As NAME=value. */
  readonly variables: readonly string[]
}

/** Mounts what a runtime mounts, in a namespace of its own, and runs a program without any other right. */
const script = `set -e
system=$1 user=$2 count=$3
shift 3
mount --bind "$system" "$system"
mkdir -p "$system/run" "$system/tmp" "$system/var/lib/bourse" "$system/proc" "$system/dev"
mount -t tmpfs tmpfs "$system/run"
mount -t tmpfs -o mode=1777 tmpfs "$system/tmp"
mount -t tmpfs -o uid=$user,gid=$user tmpfs "$system/var/lib/bourse"
while [ "$count" -gt 0 ]; do
  mkdir -p "$system$2"
  mount --bind "$1" "$system$2"
  shift 2
  count=$((count - 1))
done
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
mount -o remount,bind,ro "$system"
exec env -i "$@"`

/** The words of unshare that run a program in a container. Each program takes the place of the one before. */
export function containerWords(
  { system, user, mounts, variables }: Container,
  program: readonly string[],
): readonly string[] {
  const pairs = mounts.flatMap(({ source, target }) => [source, target])
  const chroot = ['/usr/sbin/chroot', `--userspec=${user}:${user}`, system]
  const given = [system, `${user}`, `${mounts.length}`, ...pairs]
  return ['--mount', '--', 'sh', '-c', script, 'sh', ...given, ...variables, ...chroot, ...program]
}
