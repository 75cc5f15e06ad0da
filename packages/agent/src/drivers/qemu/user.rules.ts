// As whom machines run. Where the agent is root each slot has a user of its own, who owns nothing: a machine that broke
// out of its QEMU finds no file and no process that it may touch, not even those of its neighbours.

/** A user without a name, and the group that may use the processor's help. */
export type MachineUser = { readonly uid: number; readonly kvm_gid: number | undefined }

/** The first user; slot 0 runs as this one. No distribution gives out numbers from here to 59,999. */
export const firstUid = 59_000

/** The group that opens the processor's help to machines. That of root would open much more to them. */
export function kvmGroup({ gid, mode }: { readonly gid: number; readonly mode: number }): number | undefined {
  return gid !== 0 && (mode & 0o060) === 0o060 ? gid : undefined
}

/** The words that start a program without rights, to be put before its own. Without a user it keeps the agent's. */
export function confinement(user: MachineUser | undefined): string[] {
  if (!user) return ['setpriv', '--no-new-privs', '--']
  const groups = user.kvm_gid === undefined ? '--clear-groups' : `--groups=${user.kvm_gid}`
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.uid}`, groups, '--no-new-privs', '--']
}

/** The same for a tool that reads what a customer has sent: it may also take no more than this. */
export function toolConfinement(user: MachineUser | undefined): string[] {
  return ['prlimit', '--as=2147483648', '--cpu=30', '--core=0', '--', ...confinement(user)]
}

/** The words that put a program into a network namespace; none without one. */
export function withinNamespace(namespace: string | undefined): string[] {
  return namespace === undefined ? [] : ['nsenter', `--net=/run/netns/${namespace}`, '--']
}
