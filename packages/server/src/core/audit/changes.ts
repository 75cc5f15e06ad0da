/** What a request changed, derived from the contract: fields with their values before and after. Pure. */
import { type AuditChange, auditBounds } from '@bourse/api/iam/audit-entries.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { TObject, TSchema } from '@bourse/api/kit/schema.ts'

type ChangingEndpoint = Endpoint<TObject, TObject, TSchema, TSchema>
type PlainResource = Readonly<Record<string, unknown>>
type FieldNode = Readonly<Record<string, unknown>> & { readonly properties?: Readonly<Record<string, FieldNode>> }

/** A write: its body, the resource before, and the result. */
type ResourceWrite = {
  readonly body: unknown
  /** Undefined where the resource is new, or its state before is not known. */
  readonly before: unknown
  readonly result: unknown
}

/** The fields of an endpoint whose values the trail never holds, by the contract. */
type SecretFields = ReadonlySet<string>

const ending = '…'

/** The fields of body and response that are marked as secret, or contain something that is. */
export function secretFieldsOf({ body, response, secret_fields }: ChangingEndpoint): SecretFields {
  const secret = new Set<string>(secret_fields)
  for (const schema of [body, response]) {
    for (const [name, field] of Object.entries((schema as FieldNode | undefined)?.properties ?? {})) {
      if (isSecret(field)) secret.add(name)
    }
  }
  return secret
}

function isSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return 'x-secret' in schema || Object.values(schema).some(isSecret)
}

/**
 * The changes of a write. A change of a resource shows the fields of its body that differ; an action on one, which has
 * another path, also the fields of the resource that differ; everything else the fields of its body.
 */
export function changesOf(endpoint: ChangingEndpoint, secrets: SecretFields, { body, before, result }: ResourceWrite) {
  const old = plain(before)
  const after = plain(result)
  const isSame = old !== undefined && after !== undefined && old.object === after.object && old.id === after.id
  const fields = Object.keys(plain(body) ?? {})
  if (endpoint.method === 'POST' && isSame) {
    for (const name of Object.keys(after)) if (!fields.includes(name) && name in old) fields.push(name)
  }
  const given = (field: string) => (isSame && field in after ? after[field] : plain(body)?.[field])
  return changesIn(fields, secrets, { old: (field) => old?.[field], new: given })
}

/** The changes from one object to another, none of whose fields is secret. */
export function changesBetween(before: object, after: object): AuditChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const [old, given] = [before as PlainResource, after as PlainResource]
  return changesIn(fields, new Set(), { old: (field) => old[field], new: (field) => given[field] })
}

type ChangeValues = { readonly old: (field: string) => unknown; readonly new: (field: string) => unknown }

function changesIn(fields: readonly string[], secrets: SecretFields, values: ChangeValues): AuditChange[] {
  const changes: AuditChange[] = []
  let left: number = auditBounds.values
  for (const field of fields) {
    if (changes.length === auditBounds.changes) break
    const [old_text, new_text] = [textOf(values.old(field)), textOf(values.new(field))]
    if (old_text === new_text) continue
    const change = changeOf(field, secrets, { old_text, new_text, left })
    left -= (change.old_value?.length ?? 0) + (change.new_value?.length ?? 0)
    changes.push(change)
  }
  return changes
}

type ChangeTexts = { readonly old_text: string | null; readonly new_text: string | null; readonly left: number }

function changeOf(field: string, secrets: SecretFields, { old_text, new_text, left }: ChangeTexts): AuditChange {
  const shown = field.slice(0, auditBounds.word)
  if (secrets.has(field)) return { field: shown, old_value: null, new_value: null, is_secret: true }
  const old_value = cut(old_text, left)
  const new_value = cut(new_text, left - (old_value?.length ?? 0))
  return { field: shown, old_value, new_value, is_secret: false }
}

function cut(text: string | null, left: number): string | null {
  const max = Math.min(auditBounds.value, Math.max(left, 0))
  if (text === null || text.length <= max) return text
  // A pair of surrogates is not divided.
  const kept = text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
  return `${kept}${ending}`
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value)
}

function plain(value: unknown): PlainResource | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PlainResource) : undefined
}
