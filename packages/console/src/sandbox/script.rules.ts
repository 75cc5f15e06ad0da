/** What was done by requests, as a test that does it again. Pure. */
import { operations } from '@bourse/sdk/generated/operations.ts'
import { placements } from '@bourse/sdk/naming.ts'
import type { Operation } from '@bourse/sdk/operation.ts'

/** A request, and the id of what it made, if it made something. */
export type DoneRequest = {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly status?: number
  readonly made?: string | undefined
}

const places = placements(operations.map(({ name }) => name))
/** Operations that change nothing although their method is POST. */
const readsOnly = /_estimate$|^check_permissions$/

/**
 * A script for `node --test` with the writes that succeeded, oldest first. What a call made is used by later calls, so
 * that the script works in another sandbox.
 */
export function scriptOf(requests: readonly DoneRequest[]): { readonly text: string; readonly count: number } {
  const names = new Map<string, string>()
  const lines = requests.filter(isWrite).flatMap((request) => {
    const found = operationOf(request)
    if (!found || readsOnly.test(found.operation.name)) return []
    return [lineOf(found, request, names)]
  })
  const text = `import { test } from 'node:test'
import { createClient } from '@bourse/sdk'

test('what was done in the console', async () => {
  const client = createClient()
${lines.map((line) => `  ${line}\n`).join('')}})
`
  return { text, count: lines.length }
}

function isWrite({ method, status }: DoneRequest): boolean {
  return method !== 'GET' && status !== undefined && status >= 200 && status < 300
}

type FoundOperation = { readonly operation: Operation; readonly params: Readonly<Record<string, string>> }

function operationOf({ method, path }: DoneRequest): FoundOperation | undefined {
  const [plain = ''] = path.split('?')
  for (const operation of operations) {
    if (operation.method !== method) continue
    const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const match = new RegExp(`^${operation.path.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(plain)
    if (!match) continue
    const values = match.slice(1).map(decodeURIComponent)
    return { operation, params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) }
  }
  return undefined
}

function lineOf(
  { operation, params }: FoundOperation,
  { body, made }: DoneRequest,
  names: Map<string, string>,
): string {
  const { noun, verb } = places.get(operation.name) as { noun: string; verb: string }
  const values = Object.values(params)
  const given = [
    ...(values.length === 1 ? [literal(values[0], names)] : values.length > 1 ? [literal(params, names)] : []),
    ...(body === undefined ? [] : [literal(JSON.parse(body), names)]),
  ]
  const call = `await client.${noun}.${verb}(${given.join(', ')})`
  if (made === undefined || names.has(made)) return call
  const name = `${noun.replace(/s$/, '')}${names.size + 1}`
  names.set(made, name)
  return `const ${name} = ${call}`
}

/** A value as source text. Ids of what the script made are members of its variables. */
function literal(value: unknown, names: ReadonlyMap<string, string>): string {
  if (typeof value === 'string') return names.has(value) ? `${names.get(value)}.id` : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, names)).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => `${memberName(key)}: ${literal(one, names)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function memberName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)
}
