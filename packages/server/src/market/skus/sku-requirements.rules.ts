/**
 * Requirements that select SKUs by their properties (surface 3.2). In a query: `field[:op]:value[,value…]` joined by
 * `;`. In a body: fields with lists of values, equality only. A SKU without the property never matches. Flags are not
 * properties: each SKU has them, true or false.
 */
import { skuPropertyNames } from '@bourse/api/market/skus.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import type { PropertyName, ShownProperty } from './skus.rules.ts'

/** One condition. A SKU meets it if any of the values matches, or for `ne` if none does. */
export type Requirement = { readonly field: string; readonly op: Op; readonly values: readonly string[] }

/** A SKU with the properties that hold for the account. */
export type SkuCandidate = {
  readonly id: string
  readonly alias: string
  readonly properties: Readonly<Partial<Record<PropertyName, ShownProperty>>>
} & Readonly<Record<(typeof flagFields)[number], boolean>>

type Op = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'

const clausesMax = 20
const valuesMax = 20
const ops: readonly string[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] satisfies Op[]
const integerFields: readonly string[] = [
  'num_accelerators',
  'num_vcpus',
  'memory_bytes',
  'local_storage_bytes',
  'rdma_gigabits_per_second',
] satisfies PropertyName[]
const flagFields = ['simulated', 'operator_hosts_only'] as const
const booleanFields: readonly string[] = ['supports_public_ipv4', ...flagFields]
const fields: readonly string[] = ['id', 'alias', ...skuPropertyNames, ...flagFields]

/** Parses the requirements of a query. */
export function parseRequirements(
  text: string,
  field = 'requirements',
): { readonly requirements: readonly Requirement[] } | { readonly refusal: RefusalData } {
  if (text === '') return { requirements: [] }
  const clauses = text.split(';')
  if (clauses.length > clausesMax) return refused('too_many', field, `At most ${clausesMax} conditions.`)
  const requirements: Requirement[] = []
  for (const clause of clauses) {
    const parts = clause.split(':')
    const [name = '', second = '', third] = parts
    const op = third === undefined ? 'eq' : second
    const values = (third ?? second).split(',')
    if (parts.length < 2 || parts.length > 3)
      return refused('invalid_format', field, 'A condition is field:value or field:op:value.')
    const problem = findProblem({ field: name, op, values })
    if (problem) return refused(problem.code, field, problem.message)
    requirements.push({ field: name, op: op as Op, values })
  }
  return { requirements }
}

/** Parses the requirements of a body: allowed values by field. */
export function readRequirements(
  body: Readonly<Record<string, readonly string[]>>,
  field = 'requirements',
): { readonly requirements: readonly Requirement[] } | { readonly refusal: RefusalData } {
  const entries = Object.entries(body)
  if (entries.length > clausesMax) return refused('too_many', field, `At most ${clausesMax} conditions.`)
  const requirements: Requirement[] = []
  for (const [name, values] of entries) {
    const problem = findProblem({ field: name, op: 'eq', values })
    if (problem) return refused(problem.code, `${field}.${name}`, problem.message)
    requirements.push({ field: name, op: 'eq', values })
  }
  return { requirements }
}

/** Whether a SKU meets all requirements. */
export function fitsRequirements(candidate: SkuCandidate, requirements: readonly Requirement[]): boolean {
  return requirements.every((requirement) => fits(candidate, requirement))
}

function fits(candidate: SkuCandidate, { field, op, values }: Requirement): boolean {
  const own = fieldOf(candidate, field)
  if (own === undefined) return false
  if (op === 'eq') return values.includes(String(own))
  if (op === 'ne') return !values.includes(String(own))
  return values.some((value) => compare(BigInt(own as number), op, BigInt(value)))
}

function fieldOf({ properties, ...candidate }: SkuCandidate, field: string) {
  if (field === 'id' || field === 'alias' || isFlag(field)) return candidate[field]
  const property = properties[field as PropertyName]
  return typeof property === 'object' ? property.value : property
}

function isFlag(field: string): field is (typeof flagFields)[number] {
  return (flagFields as readonly string[]).includes(field)
}

function compare(own: bigint, op: Exclude<Op, 'eq' | 'ne'>, value: bigint): boolean {
  if (op === 'gt') return own > value
  if (op === 'gte') return own >= value
  return op === 'lt' ? own < value : own <= value
}

function findProblem({ field, op, values }: { field: string; op: string; values: readonly string[] }) {
  const wrong = (message: string) => ({ code: 'invalid_format' as const, message })
  if (!fields.includes(field)) return wrong('There is no such field of a SKU.')
  if (!ops.includes(op)) return wrong(`The operators are ${ops.join(', ')}.`)
  if (values.length > valuesMax)
    return { code: 'too_many' as const, message: `A condition has at most ${valuesMax} values.` }
  if (values.length === 0 || !values.every((value) => /^[A-Za-z0-9._-]+$/.test(value))) {
    return wrong('Values have one or more of A-Z, a-z, 0-9, ".", "_" and "-".')
  }
  if (booleanFields.includes(field) && !values.every((value) => value === 'true' || value === 'false')) {
    return wrong(`${field} is true or false.`)
  }
  const isOrdered = op !== 'eq' && op !== 'ne'
  if (isOrdered && !integerFields.includes(field)) return wrong(`${field} has no order: use eq or ne.`)
  if (isOrdered && !values.every((value) => /^-?\d{1,19}$/.test(value))) return wrong(`${op} takes whole numbers.`)
  return undefined
}

function refused(code: 'invalid_format' | 'too_many', field: string, message: string): { refusal: RefusalData } {
  return { refusal: { code, field, message } }
}
