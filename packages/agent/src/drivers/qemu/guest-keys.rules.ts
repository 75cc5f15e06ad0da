/**
 * Which lines of the files authorized_keys of a guest to remove, and which to add. A line of the platform ends in the
 * id of its key. No other line is ever removed, also if it has the same key. Pure.
 */
import type { PlacedKey } from '../driver.ts'

/** The lines of the users of a guest. The users stand in the order in which one of them gets new keys. */
export type GuestLines = readonly { readonly user: string; readonly lines: readonly string[] }[]

/** A change of the lines of one user. */
type LineChange = { readonly user: string; readonly lines: readonly string[] }

/** What to do in a guest. */
type KeyPlan = {
  readonly removals: readonly LineChange[]
  readonly additions: readonly string[]
  /** The keys that are removed by this, or have been before. */
  readonly gone: readonly string[]
}

/** The users that images are entered as, by the id of their system (os-release). */
const usersBySystem: Readonly<Record<string, readonly string[]>> = {
  centos: ['cloud-user', 'centos'],
  rhel: ['cloud-user', 'ec2-user'],
  amzn: ['ec2-user'],
  'opensuse-leap': ['opensuse'],
  'opensuse-tumbleweed': ['opensuse'],
  sles: ['sles'],
  ol: ['cloud-user', 'opc'],
}

const systemPattern = /^[a-z][a-z0-9_-]{0,31}$/

/** The users whose files are read: those of the system, and the superuser. What a guest says is not trusted. */
export function usersOf(system: unknown): string[] {
  const name = typeof system === 'string' && systemPattern.test(system) ? system : undefined
  const own = name === undefined ? [] : (usersBySystem[name] ?? [name])
  return [...own, 'root']
}

/**
 * What to do so that a guest has the wanted keys. `placed` are those that the platform has put into it; of these alone
 * the lines are removed. A key without a line counts as gone only if `is_settled`: a guest that still boots may write
 * it later.
 */
export function planKeys(
  guest: GuestLines,
  keys: { readonly wanted: readonly PlacedKey[]; readonly placed: readonly string[]; readonly is_settled: boolean },
): KeyPlan {
  const { wanted, placed, is_settled } = keys
  const kept = new Set(wanted.map(({ id }) => id as string))
  const unwanted = placed.filter((id) => !kept.has(id))
  const present = new Set(guest.flatMap(({ lines }) => lines.flatMap((line) => idOfLine(line) ?? [])))
  const removals = guest.flatMap(({ user, lines }) => {
    const own = lines.filter((line) => unwanted.includes(idOfLine(line) ?? ''))
    return own.length === 0 ? [] : [{ user, lines: own }]
  })
  const additions = wanted.filter(({ id }) => !present.has(id)).map(({ public_key }) => public_key)
  return { removals, additions, gone: unwanted.filter((id) => is_settled || present.has(id)) }
}

/** The id of the key in a line of the platform; undefined for any other line. */
function idOfLine(line: string): string | undefined {
  return / (sshk_[0-9a-zA-Z_-]{1,21})$/.exec(line)?.[1]
}
