/** Finds the fields of a value that accept an id or a path, by the schema of the value. */
import { kinds, type PathKind, refPattern } from './ids.ts'
import type { TSchema } from './schema.ts'

/** A reference of a request, as it was sent. */
export type SentReference = { readonly kind: PathKind; readonly ref: string }

type Node = { pattern?: string; properties?: Record<string, Node>; items?: Node }

const pathKinds = (Object.keys(kinds) as (keyof typeof kinds)[]).filter(
  (kind): kind is PathKind => kinds[kind].path_segments > 0,
)
const kindsByPattern = new Map(pathKinds.map((kind) => [refPattern(kind), kind]))

/** A copy of a value with each reference replaced. The value must match the schema. */
export function mapReferences(schema: TSchema, value: unknown, replace: (sent: SentReference) => string): unknown {
  return mapNode(schema as Node, value, replace)
}

function mapNode(schema: Node | undefined, value: unknown, replace: (sent: SentReference) => string): unknown {
  if (schema === undefined || value === null) return value
  if (typeof value === 'string') {
    const kind = schema.pattern === undefined ? undefined : kindsByPattern.get(schema.pattern)
    return kind === undefined ? value : replace({ kind, ref: value })
  }
  if (Array.isArray(value)) return value.map((entry) => mapNode(schema.items, entry, replace))
  if (typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    mapNode(schema.properties?.[name], member, replace),
  ])
  return Object.fromEntries(members)
}
