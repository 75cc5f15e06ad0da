/** Draws the next request: an operation, a caller, valid values, and sometimes one broken rule. */
import assert from 'node:assert/strict'
import type { RandomChoices } from '../../sim/choices.ts'
import type { FuzzedOperation } from './document.ts'
import type { Memory } from './memory.ts'
import { mutate } from './mutations.ts'
import { type QueryTarget, targetOf } from './query-targets.ts'
import type { FuzzActor, FuzzRequest, QueryPair } from './requests.ts'
import { type BaseResources, type ValueSource, valueFor } from './values.ts'

/** The input for drawing requests. */
export type DrawContext = {
  readonly choices: RandomChoices
  readonly memory: Memory
  readonly weighted: readonly Weighted[]
  /** Operations without a successful call so far. */
  readonly unreached: Set<FuzzedOperation>
  /** The token of the platform, then those of the accounts that the run relies on. */
  readonly platform: FuzzActor
  readonly customers: readonly FuzzActor[]
  /** Tokens that calls have created. They may have ended. */
  readonly others: FuzzActor[]
  /** Requests to send again unchanged. */
  readonly again: FuzzRequest[]
  readonly bases: ReadonlyMap<string, BaseResources>
  readonly now: number
  readonly percents: Percents
}

/** An operation, and how likely it is to be called. */
export type Weighted = { readonly operation: FuzzedOperation; readonly weight: number }

/** Percentages of requests: with a broken rule, without a token, of operations without success, with matching parts. */
export type Percents = {
  readonly flaw: number
  readonly stranger: number
  readonly unreached: number
  readonly aimed: number
}

/** Operations whose effects look like defects. */
const harmful = new Set(['create_fault'])

let keys = 0

export function drawRequest(context: DrawContext): FuzzRequest {
  const { choices, again, percents } = context
  const next = choices.chance(30) ? again.shift() : undefined
  if (next) return next
  const { unreached, weighted } = context
  const isWanted = unreached.size > 0 && choices.chance(percents.unreached)
  const operation = isWanted ? choices.pick([...unreached]) : choices.weighted(weighted).operation
  const request = goodRequest(context, operation, drawActor(context, operation))
  const isHarmful = harmful.has(operation.name)
  const mutated = isHarmful || choices.chance(percents.flaw) ? mutate(request, choices) : undefined
  return mutated ?? (isHarmful ? drawRequest(context) : request)
}

/** Creating operations have a higher weight than ending ones. */
export function weighted(operation: FuzzedOperation): Weighted {
  const { method, name } = operation
  return { operation, weight: name.startsWith('create_') ? 4 : method === 'DELETE' ? 1 : 2 }
}

function drawActor(
  { choices, platform, customers, others, percents }: DrawContext,
  operation: FuzzedOperation,
): FuzzActor {
  const { chance, pick } = choices
  if (chance(percents.stranger)) return { ...pick(customers), name: 'nobody', token: undefined, isLasting: false }
  if (others.length > 0 && chance(10)) return pick(others)
  return chance(isForOperators(operation) ? 92 : 8) ? platform : pick(customers)
}

function isForOperators({ path }: FuzzedOperation): boolean {
  return path.startsWith('/preview/v2/admin/')
}

function goodRequest(context: DrawContext, operation: FuzzedOperation, actor: FuzzActor): FuzzRequest {
  const { choices, memory, now, customers, bases, percents } = context
  // Operators refer to resources of customers.
  const account = isForOperators(operation) ? choices.pick(customers).account : actor.account
  const isHarmless = operation.method === 'GET' || operation.name === 'create_read_only_pool'
  const source: ValueSource = { choices, memory, account, now, isHarmless, bases }
  const target = choices.chance(percents.aimed) ? targetOf(operation.name, source) : {}
  const params = Object.entries(operation.params).map(([name, schema]) => {
    return [name, target.params?.[name] ?? String(valueFor(meaningOf(operation, name), schema, source))]
  })
  const drawn = operation.body && valueFor('', operation.body, source)
  const body = target.whole ?? (target.body ? { ...(drawn as object), ...target.body } : drawn)
  assert.ok(!operation.body || operation.fitsBody(body), `${operation.name} does not take ${JSON.stringify(body)}`)
  const key = operation.takesKey && choices.chance(35) ? { 'idempotency-key': `fuzz-${++keys}` } : {}
  return {
    operation,
    actor,
    params: Object.fromEntries(params),
    query: aimedQuery(queryOf(operation, source), target),
    headers: key,
    body,
  }
}

function aimedQuery(drawn: QueryPair[], { query = {} }: QueryTarget): QueryPair[] {
  const aimed = Object.entries(query).map(([name, value]) => ({ name, value }))
  // A cursor belongs to the query that returned it.
  const others = aimed.length > 0 ? [] : drawn
  return [...others, ...aimed]
}

/** The kind of a parameter with an ambiguous name. */
function meaningOf({ path }: FuzzedOperation, name: string): string {
  const [, kind] = /\/(limit|scenario)s\/\{name\}/.exec(path) ?? []
  return kind !== undefined && name === 'name' ? `name of a ${kind}` : name
}

function queryOf({ query }: FuzzedOperation, source: ValueSource): QueryPair[] {
  const { choices } = source
  return Object.entries(query).flatMap(([name, schema]): QueryPair[] => {
    // Two cursors exclude each other, and a cursor of another list is refused, so cursors are rare.
    const isCursor = /^(starting_after|ending_before)$/.test(name)
    if (!choices.chance(isCursor ? 12 : 15)) return []
    const value = valueFor(name, schema, source)
    const values = Array.isArray(value) ? value.slice(0, 100) : [value]
    return values.filter((one) => one !== '').map((one) => ({ name, value: String(one) }))
  })
}
