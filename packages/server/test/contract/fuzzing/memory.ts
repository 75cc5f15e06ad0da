/** The memory of the fuzzer: ids and paths of existing and deleted resources by account and kind, cursors, accounts. */
import { type IdKind, idPattern, kinds, type PathKind, refPattern } from '@bourse/api/kit/ids.ts'
import type { RandomChoices } from '../../sim/choices.ts'

type KnownResource = { readonly id: string; readonly path: string | undefined }

/** The resources of one kind that one account has seen: the first ones, and the most recent others. */
type SeenResources = { readonly first: KnownResource[]; readonly last: KnownResource[] }

export type Memory = {
  readonly seen_resources: Map<string, SeenResources>
  readonly gone: Set<string>
  /** Ids that are never stored, so that no random call ends a fixture of the run. */
  readonly keptOut: Set<string>
  readonly cursors: Map<string, string[]>
  /** Accounts that calls may change in any way. */
  readonly spares: string[]
}

const firstKept = 8
const lastKept = 24
const cursorsKept = 20
const sparesKept = 12

const kindsByPrefix = new Map<string, IdKind>(
  (Object.entries(kinds) as [IdKind, { prefix: string; also_prefix?: string }][]).flatMap(([kind, naming]) =>
    [naming.prefix, ...(naming.also_prefix ? [naming.also_prefix] : [])].map((prefix): [string, IdKind] => [
      prefix,
      kind,
    ]),
  ),
)

/** The kinds whose ids or paths match a pattern of the document. */
const kindsByPattern = new Map<string, readonly IdKind[]>([
  ...(Object.keys(kinds) as IdKind[]).map((kind): [string, IdKind[]] => [idPattern(kind), [kind]]),
  ...(Object.keys(kinds) as PathKind[])
    .filter((kind) => kinds[kind].path_segments > 0)
    .map((kind): [string, IdKind[]] => [refPattern(kind), [kind]]),
  ['^(?:usr|tokn)_[0-9a-zA-Z_-]{1,21}$', ['user', 'token']],
])

export function emptyMemory(): Memory {
  return { seen_resources: new Map(), gone: new Set(), keptOut: new Set(), cursors: new Map(), spares: [] }
}

/** Stores the ids, paths and cursors of a response. */
export function learn(memory: Memory, account: string, response: unknown): void {
  if (response === null || typeof response !== 'object') return
  if (Array.isArray(response)) {
    for (const entry of response) learn(memory, account, entry)
    return
  }
  const { id, resource_path, cursor } = response as Record<string, unknown>
  if (typeof id === 'string')
    keep(memory, account, { id, path: typeof resource_path === 'string' ? resource_path : undefined })
  if (typeof cursor === 'string') keepCursor(memory, cursor)
  for (const member of Object.values(response)) learn(memory, account, member)
}

/** Marks a resource as ended. Calls sometimes refer to it again. */
export function forget(memory: Memory, ref: string): void {
  memory.gone.add(ref)
}

/** An id or path that matches a pattern of the document, of a resource that an account may refer to. */
export function recall(
  memory: Memory,
  { pattern, account }: { pattern: string; account: string },
  choices: RandomChoices,
) {
  const candidates = kindsByPattern.get(pattern)
  if (!candidates) return undefined
  const kind = choices.pick(candidates)
  const shelves = [...memory.seen_resources].filter(([key]) => key.endsWith(` ${kind}`))
  const own = shelves.filter(([key]) => key.startsWith(`${account} `))
  if (shelves.length === 0) return undefined
  const [, seen_resources] = choices.pick(own.length > 0 && choices.chance(88) ? own : shelves)
  const all = choices.chance(40) ? seen_resources.first : [...seen_resources.first, ...seen_resources.last]
  const isGone = ({ id, path }: KnownResource) => memory.gone.has(id) || (path !== undefined && memory.gone.has(path))
  const wanted = all.filter((known) => isGone(known) === choices.chance(8))
  const known = choices.pick(wanted.length > 0 ? wanted : all)
  const takesPath = pattern.includes('svc:') && known.path !== undefined
  return takesPath && choices.chance(25) ? known.path : known.id
}

/** A cursor of a list, by the prefix of its cursors. */
export function recallCursor(memory: Memory, prefix: string, choices: RandomChoices): string | undefined {
  const known = memory.cursors.get(prefix)
  return known && known.length > 0 ? choices.pick(known) : undefined
}

function keep(memory: Memory, account: string, known: KnownResource): void {
  const kind = kindsByPrefix.get(known.id.split('_')[0] as string)
  if (memory.keptOut.has(known.id)) return
  if (kind === undefined) {
    keepSpare(memory, known.id)
    return
  }
  // The audit trail also shows what a mutated request named.
  if (!new RegExp(idPattern(kind)).test(known.id)) return
  const key = `${account} ${kind}`
  const seen_resources = memory.seen_resources.get(key) ?? { first: [], last: [] }
  memory.seen_resources.set(key, seen_resources)
  if ([...seen_resources.first, ...seen_resources.last].some(({ id, path }) => id === known.id && path === known.path))
    return
  if (seen_resources.first.length < firstKept) seen_resources.first.push(known)
  else seen_resources.last.push(known)
  if (seen_resources.last.length > lastKept) seen_resources.last.shift()
}

/** Stores a spare account. Ids without a prefix are ids of accounts. */
function keepSpare({ spares }: Memory, id: string): void {
  if (!/^[a-z0-9-]{3,40}$/.test(id) || spares.includes(id)) return
  spares.push(id)
  if (spares.length > sparesKept) spares.shift()
}

function keepCursor({ cursors }: Memory, cursor: string): void {
  const prefix = cursor.split('_')[0] as string
  const known = cursors.get(prefix) ?? []
  cursors.set(prefix, known)
  known.push(cursor)
  if (known.length > cursorsKept) known.shift()
}
