/**
 * Valid values: samples of the published schemas. Most ids are those of existing resources, and some members are chosen
 * so that calls can succeed.
 */
import { sampleOf } from '@bourse/api/kit/sample.ts'
import type { TSchema } from '@bourse/api/kit/schema.ts'
import type { RandomChoices } from '../../sim/choices.ts'
import type { FuzzedSchema } from './document.ts'
import { type Memory, recall, recallCursor } from './memory.ts'

/** The input for drawing values. */
export type ValueSource = {
  readonly choices: RandomChoices
  readonly memory: Memory
  /** The account of the caller. */
  readonly account: string
  /** The approximate business time. */
  readonly now: number
  /** Whether the value may name accounts that the run relies on. */
  readonly isHarmless: boolean
  /** The fixtures that calls may use, by account. */
  readonly bases: ReadonlyMap<string, BaseResources>
}

/** Matching resources of an account. */
export type BaseResources = {
  readonly pool: string
  readonly sku: string
  readonly image: string
  readonly instance_template: string
  /** An instance with user data. */
  readonly instance: string
  /** A host that is drained. */
  readonly host: string
  /** Images that the operator may publish. */
  readonly publishable: readonly string[]
  /** An image that calls revoke and reinstate, and a SKU that they retire and restore. */
  readonly revocable: string
  readonly spare_sku: string
  readonly deployment: string
  /** A disabled webhook with a delivery. */
  readonly webhook: string
  readonly delivery: string
  /** A market in which the account buys for one pool and sells out of another. */
  readonly trade: { readonly sku: string; readonly buying_pool: string; readonly supply: string }
  /** A supply out of which the operator may give nodes to a workspace. */
  readonly grant: {
    readonly supply: string
    readonly sku: string
    readonly account: string
    readonly workspace: string
    readonly schedule_start_at: number
  }
}

const accountPattern = '^[a-z0-9][a-z0-9-]{2,39}$'
const neverIssued = '0000000000000000000zz'

/** A value for a member of a request, by the name of the member. */
export function valueFor(name: string, schema: FuzzedSchema, source: ValueSource): unknown {
  return adorn(name, schema, sampleOf(schema as unknown as TSchema, source.choices), source)
}

/** Replaces parts of a sample by meaningful values. */
function adorn(name: string, schema: FuzzedSchema, value: unknown, source: ValueSource): unknown {
  const sensible = sense(name, schema, source)
  if (sensible !== undefined) return sensible
  if (typeof value === 'string') return named(schema, source) ?? value
  if (Array.isArray(value)) return value.map((entry) => adorn('', schema.items ?? {}, entry, source))
  if (value === null || typeof value !== 'object') return value
  const { properties = {} } = schema
  return Object.fromEntries(
    Object.entries(value).map(([member, own]) => {
      const inner = Object.hasOwn(properties, member) ? properties[member] : undefined
      return [member, inner ? adorn(member, inner, own, source) : own]
    }),
  )
}

/** An existing id or path, for a text that refers to a resource. */
function named({ pattern = '' }: FuzzedSchema, { memory, account, choices, bases, isHarmless }: ValueSource) {
  const [, cursorPrefix] = /^\^([a-z]+)_\[A-Za-z0-9_-\]\+\$$/.exec(pattern) ?? []
  if (cursorPrefix !== undefined) return recallCursor(memory, cursorPrefix, choices)
  if (pattern === accountPattern) {
    if (isHarmless && choices.chance(50)) return account
    const known = isHarmless ? [...memory.spares, ...bases.keys()] : memory.spares
    return known.length > 0 && choices.chance(85) ? choices.pick(known) : undefined
  }
  const ref = recall(memory, { pattern, account }, choices)
  if (ref === undefined || choices.chance(95)) return ref
  return ref.startsWith('svc:') ? `${ref}-not` : ref.replace(/_.*/, `_${neverIssued}`)
}

type Sense = (source: ValueSource, schema: FuzzedSchema) => unknown

const minute = 60
const scenarios = ['empty', 'quickstart', 'preemption', 'host_failures']

/** Members whose samples would nearly always be refused, or would cause work for hours. */
const senses: Readonly<Record<string, { readonly percent: number; readonly make: Sense }>> = {
  region: { percent: 85, make: () => 'north' },
  infiniband_fabric: { percent: 85, make: () => 'fabric' },
  availability_zone: { percent: 85, make: () => 'zone' },
  accelerator: { percent: 85, make: () => 'accelerator' },
  form_factor: { percent: 85, make: () => 'form' },
  rdma_type: { percent: 70, make: () => 'infiniband' },
  pool: { percent: 60, make: ({ bases, account }) => bases.get(account)?.pool },
  sku: { percent: 60, make: ({ bases, account }) => bases.get(account)?.sku },
  image: { percent: 40, make: ({ bases, account }) => bases.get(account)?.image },
  instance_template: { percent: 50, make: ({ bases, account }) => bases.get(account)?.instance_template },
  count: { percent: 100, make: ({ choices }) => 1 + choices.integer(2) },
  slots: { percent: 100, make: ({ choices }) => 1 + choices.integer(4) },
  target_instance_count: { percent: 100, make: ({ choices }) => choices.integer(3) },
  expires_at: { percent: 80, make: ({ choices, now }) => now + 60 + choices.integer(100_000) },
  deprecated_at: { percent: 50, make: ({ now }) => now },
  since: { percent: 50, make: ({ choices, now }) => now - choices.integer(100_000) },
  until: { percent: 50, make: ({ choices, now }) => now - choices.integer(1000) },
  allocation_schedule: { percent: 80, make: scheduleOf },
  rules: { percent: 50, make: rulesOf },
  'name of a limit': {
    percent: 80,
    make: ({ choices }) => choices.pick(['instances', 'pools', 'budgets', 'firewalls']),
  },
  month: { percent: 80, make: ({ now }) => monthOf(now) },
  from: { percent: 100, make: ({ now }, schema) => (isMonth(schema) ? monthOf(now) : undefined) },
  property: { percent: 80, make: ({ choices }) => choices.pick(['region', 'infiniband_fabric', 'accelerator']) },
  timeout_seconds: { percent: 100, make: ({ choices }) => 1 + choices.integer(2) },
  seconds: { percent: 90, make: ({ choices }) => choices.integer(4000) },
  to: {
    percent: 100,
    make: ({ choices, now }, schema) => (isMonth(schema) ? monthOf(now) : now + choices.integer(4000)),
  },
  rate: { percent: 90, make: ({ choices }) => 1 + choices.integer(60) },
  scenario: { percent: 80, make: ({ choices }) => choices.pick(scenarios) },
  'name of a scenario': { percent: 80, make: ({ choices }) => choices.pick(scenarios) },
  principal_type: { percent: 80, make: () => 'token' },
  // A sandbox takes it, and the connection is refused at once.
  url: { percent: 90, make: () => 'http://127.0.0.1:9/hook' },
}

function sense(name: string, schema: FuzzedSchema, source: ValueSource): unknown {
  const known = senses[name]
  // Role policies have members of the same names that contain verbs.
  if (!known || schema.items?.enum || !source.choices.chance(known.percent)) return undefined
  const value = known.make(source, schema)
  // Parameters of lists have the names of members, and accept several values.
  return schema.items && !Array.isArray(value) && value !== undefined ? [value] : value
}

function monthOf(now: number): string {
  return new Date(now * 1000).toISOString().slice(0, 7)
}

function isMonth({ pattern = '' }: FuzzedSchema): boolean {
  return pattern.includes('19[7-9]')
}

function scheduleOf({ choices, now }: ValueSource): object[] {
  let at = Math.floor(now / minute) * minute + minute * (1 + choices.integer(30))
  const entries: object[] = []
  for (let left = 1 + choices.integer(3); left > 0; left--) {
    const end_at = at + minute * (1 + choices.integer(600))
    entries.push({ start_at: at, end_at, node_count: choices.integer(3) })
    at = end_at + minute * choices.integer(2)
  }
  return entries
}

/** Rules of a firewall, if the schema is one of those. */
function rulesOf({ choices }: ValueSource, { items }: FuzzedSchema): object[] | undefined {
  if (!items?.properties?.protocol) return undefined
  return Array.from({ length: choices.integer(4) }, () => {
    const source_cidr = choices.pick(['0.0.0.0/0', '10.0.0.0/8', '203.0.113.7/32'])
    const port_from = 1 + choices.integer(1000)
    return choices.chance(50)
      ? { protocol: 'tcp', port_from, port_to: port_from + choices.integer(50), source_cidr }
      : { protocol: choices.pick(['icmp', 'all']), source_cidr }
  })
}
