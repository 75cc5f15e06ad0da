// The users of machines. If the agent runs as root, each slot has a user of its own without any files, so that a
// machine that escapes from its QEMU cannot access files or processes, not even those of other machines.

/** A user without a name, and the group that may use KVM. */
export type MachineUser = { readonly uid: number; readonly kvm_gid: number | undefined }

/** The first user, that of slot 0. Distributions do not assign numbers from here to 59,999. */
export const firstUid = 59_000

/** The group that gives machines access to KVM. The group of root would give access to much more. */
export function kvmGroup({ gid, mode }: { readonly gid: number; readonly mode: number }): number | undefined {
  return gid !== 0 && (mode & 0o060) === 0o060 ? gid : undefined
}

/** The command prefix that drops all rights. Without a user the program runs as the user of the agent. */
export function confinement(user: MachineUser | undefined): string[] {
  if (!user) return ['setpriv', '--no-new-privs', '--']
  const groups = user.kvm_gid === undefined ? '--clear-groups' : `--groups=${user.kvm_gid}`
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.uid}`, groups, '--no-new-privs', '--']
}

/** The same for a tool that reads untrusted input, with resource limits. */
export function toolConfinement(user: MachineUser | undefined): string[] {
  return ['prlimit', '--as=2147483648', '--cpu=30', '--core=0', '--', ...confinement(user)]
}

/** The command that reads the host keys of a machine. The guest writes what it reads, so it is confined like one. */
export function keyScan(user: MachineUser | undefined, { address, port }: { address: string; port: number }): string[] {
  return [...toolConfinement(user), 'ssh-keyscan', '-T', '3', '-t', 'ed25519,rsa,ecdsa', '-p', String(port), address]
}

/** The command prefix that enters a network namespace; empty without one. */
export function withinNamespace(namespace: string | undefined): string[] {
  return namespace === undefined ? [] : ['nsenter', `--net=/run/netns/${namespace}`, '--']
}

/** The command prefix that keeps a machine on its processors; empty: it runs on any. */
export function onProcessors(processors: readonly number[]): string[] {
  return processors.length === 0 ? [] : ['taskset', '--cpu-list', processors.join()]
}
