/** What a request is about, derived from its path and its result. Pure. */
import { type AuditTarget, auditBounds } from '@bourse/api/iam/audit-entries.ts'
import { kinds } from '@bourse/api/kit/ids.ts'
import { singular } from '@bourse/text/nouns.ts'

type PlainTarget = Readonly<Record<string, unknown>>

/** Where the targets of a request come from. */
type TargetSource = {
  /** The path of the endpoint, with its parameters. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly before: unknown
  readonly result: unknown
}

const kindsByPrefix = new Map(
  Object.entries(kinds).flatMap(([kind, naming]) => {
    const { prefix, also_prefix = prefix } = naming as { prefix: string; also_prefix?: string }
    return [[prefix, kind] as const, [also_prefix, kind] as const]
  }),
)

/** The resources that a request is about: those of its path, then those of its result, each once. */
export function targetsOf({ path, params, before, result }: TargetSource): AuditTarget[] {
  const targets = new Map<string, AuditTarget>()
  const add = (type: string, id: string) => {
    if (targets.size < auditBounds.targets && !targets.has(id)) targets.set(id, { type, id })
  }
  for (const [segment, name] of parametersOf(path)) {
    const given = params[name]
    if (given === undefined) continue
    const id = idOfPath(given, [before, result]) ?? shown(given)
    add(kindOf(given) ?? (name === 'id' || name === 'name' ? singular(segment) : name), id)
  }
  for (const shownResource of resourcesOf(result)) add(String(shownResource.object), String(shownResource.id))
  return [...targets.values()]
}

/** The parameters of a path, each with the segment before it. */
function parametersOf(path: string): [string, string][] {
  const segments = path.split('/')
  return segments.flatMap((segment, index): [string, string][] =>
    segment.startsWith(':') ? [[segments[index - 1] ?? '', segment.slice(1)]] : [],
  )
}

/** The kind of an id or a path, if it is one of ours: a request may be recorded before its path is validated. */
function kindOf(given: string): string | undefined {
  if (given.startsWith('svc:')) {
    const [, kind = ''] = given.split(':', 2)
    return Object.hasOwn(kinds, kind) ? kind : undefined
  }
  const end = given.indexOf('_')
  return end < 0 ? undefined : kindsByPrefix.get(given.slice(0, end))
}

/** The id of a resource that was named by its path. */
function idOfPath(given: string, known: readonly unknown[]): string | undefined {
  if (!given.startsWith('svc:')) return undefined
  const kind = kindOf(given)
  const found = known
    .flatMap((one) => [...resourcesOf(one)])
    .find(({ object, resource_path }) => {
      return object === kind && resource_path === given
    })
  return found && String(found.id)
}

function* resourcesOf(result: unknown): Iterable<PlainTarget> {
  if (typeof result !== 'object' || result === null) return
  const { object, id, data } = result as PlainTarget
  if (typeof object === 'string' && typeof id === 'string') yield result as PlainTarget
  if (object === 'list' && Array.isArray(data)) for (const one of data) yield* resourcesOf(one)
}

/** Names and paths come from outside. A pair of surrogates that the cut divides is no text to the database. */
function shown(given: string): string {
  return given
    .slice(0, auditBounds.word)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '?')
}
