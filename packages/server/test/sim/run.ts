/** The state of one run, and the functions that all its parts share. */
import { isDeepStrictEqual } from 'node:util'
import { cachedBooks } from '../../src/market/trading/book-cache.service.ts'
import type { RunDigest } from './checks/digest.ts'
import { compareInventory, type Held } from './checks/inspection.ts'
import { readJournal } from './checks/market-journal.ts'
import type { ReferenceBooks } from './checks/reference-books.ts'
import type { PlacedChoices } from './choices.ts'
import type { CallPlan, SimActor, SimContext, SimOperation } from './context.ts'
import type { Inventory, Resource } from './inventory.ts'
import { factsOf, isPassing, isReadable, readPaths } from './inventory.ts'
import type { SimOptions } from './options.ts'
import type { ReplicaResponse } from './replicas/client.ts'
import type { Monitor, ReplicaFault, SimReplica, SimReplicas } from './replicas/replicas.ts'

/** A command that is paused in its replica. */
export type Paused = {
  readonly replica: SimReplica
  readonly plan: CallPlan | undefined
  readonly fault: ReplicaFault
  readonly resume: () => void
  /** The PostgreSQL backend that holds its locks. */
  readonly pid: number | undefined
  readonly responded: Promise<ReplicaResponse>
  /** Steps until it resumes. */
  steps_left: number
}

export type SimRun = {
  readonly options: SimOptions
  readonly choices: PlacedChoices
  readonly context: SimContext
  readonly operations: readonly SimOperation[]
  readonly replicas: SimReplicas
  readonly monitor: Monitor
  readonly digest: RunDigest
  /** The naive order books that every trade is compared with. */
  readonly referenceBooks: ReferenceBooks
  readonly violations: string[]
  readonly counts: Map<string, number>
  /** Targets that items of the coverage list reached. */
  readonly covered: Set<string>
  readonly log: (line: string) => void
  /** Calls that follow from earlier responses. */
  readonly chain: CallPlan[]
  paused: Paused | undefined
  /** The number of commits at the last verification. */
  verifiedAt: number
  step: number
  requests: number
}

export function recordViolation(run: SimRun, what: string): void {
  run.violations.push(`step ${run.step}: ${what}`)
}

export function count({ counts }: SimRun, what: string, by = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + by)
}

/** A replica that is not paused: mostly the same one, because its connections have already planned most statements. */
export function freeReplica({ choices, replicas, paused }: SimRun): SimReplica {
  const free = replicas.all.filter((replica) => replica !== paused?.replica)
  return choices.chance(75) ? (free[0] as SimReplica) : choices.pick(free)
}

/** Waits for the deferred writes of finished calls. */
export function settle({ replicas, paused }: SimRun): Promise<void> {
  return replicas.untilIdle(paused?.replica)
}

/** A call of the harness itself, through any replica that is not paused. */
export async function request(
  run: SimRun,
  actor: SimActor,
  path: string,
  method = 'GET',
  body?: object,
): Promise<ReplicaResponse> {
  await settle(run)
  run.requests += 1
  const sent = { method, path, token: actor.token, body, request_id: `request-${run.requests}` }
  return freeReplica(run).client.send(sent)
}

/** Compares new trades and the replicas' cached books with the reference books. */
export async function verifyTrades(run: SimRun): Promise<void> {
  const { referenceBooks, monitor, replicas } = run
  const { notes, resuming } = await readJournal(monitor.database)
  for (const violation of referenceBooks.follow(notes, resuming)) recordViolation(run, violation)
  for (const { index, server } of replicas.all) {
    for (const [skuId, cached] of cachedBooks(server.runtime)) {
      const violation = referenceBooks.verifyCache(skuId, cached)
      if (violation) recordViolation(run, `${violation} (replica ${index})`)
    }
  }
}

function actorOf({ context }: SimRun, account: string): SimActor | undefined {
  const { actors, platform, coverage } = context
  return [...actors, platform, coverage.account, coverage.partner].find(({ id }) => id === account)
}

/** Records a resource as the server shows it, whatever was known before. */
export async function refresh(
  run: SimRun,
  { kind, id, account }: Pick<Resource, 'kind' | 'id' | 'account'>,
): Promise<void> {
  const { inventory, now } = run.context
  const actor = actorOf(run, account)
  if (!actor || !isReadable(kind)) return
  const { status, body } = await request(run, actor, `${readPaths[kind]}/${id}`)
  if (status === 200) inventory.record(kind, body, { account, now })
  // An actor that has lost its rights cannot read, so its inventory does not change.
  else if (status === 404 && !actor.isDisposable) inventory.remove(id)
}

/** Compares the database with what was acknowledged; `isSure`: no response was lost since the last check. */
export async function checkInventory(run: SimRun, { isSure }: { isSure: boolean }): Promise<void> {
  const { context, monitor } = run
  const { unknown, lost, violations } = await compareInventory(monitor.database, context.inventory, context.now)
  for (const row of unknown) await recordUnknown(run, row, isSure)
  for (const resource of lost) {
    const isBlind = actorOf(run, resource.account)?.isDisposable
    if (isSure && !isBlind && !isCascaded(context.inventory, resource))
      recordViolation(run, `${resource.id} was acknowledged and does not exist`)
    context.inventory.remove(resource.id)
  }
  for (const violation of violations) if (isSure) recordViolation(run, violation)
}

async function recordUnknown(run: SimRun, row: Held, isSure: boolean): Promise<void> {
  const { id, account_id: account, is_own, name } = row
  if (!actorOf(run, account)) return
  const isBlind = actorOf(run, account)?.isDisposable
  if (isSure && !is_own && !isBlind) recordViolation(run, `${id} (${name}) exists and was never acknowledged`)
  await refresh(run, { kind: row.kind, id, account })
}

/** Whether a resource ends with another: a grant with its principal or place, a default firewall with its workspace. */
function isCascaded(inventory: Inventory, { kind, facts, workspace }: Resource): boolean {
  if (kind === 'grant') return true
  return kind === 'firewall' && facts.is_default === true && !inventory.resources.get(workspace ?? '')?.isAlive
}

/** Reads a random resource of the inventory, which must equal its acknowledged state. */
export async function readAgain(run: SimRun): Promise<void> {
  const { context, choices } = run
  const known = [...context.inventory.resources.values()].filter(({ kind, account }) => {
    const actor = actorOf(run, account)
    return kind !== 'sku' && isReadable(kind) && actor !== undefined && !actor.isDisposable
  })
  if (known.length === 0) return
  const resource = choices.pick(known)
  const { kind, id, account, isAlive, facts } = resource
  const ref = isAlive ? context.inventory.ref(resource, choices) : id
  const path = `${readPaths[kind as keyof typeof readPaths]}/${ref}`
  const { status, body, text } = await request(run, actorOf(run, account) as SimActor, path)
  if (status === 404 && isAlive && kind === 'instance') return refresh(run, resource)
  // The name of a purged instance is free, and another one may have it.
  if (status === 200 && isAlive && kind === 'instance' && body.id !== id) return refresh(run, resource)
  if (status === 404 && isAlive && isCascaded(context.inventory, resource)) return context.inventory.remove(id)
  if (status !== (isAlive ? 200 : 404))
    return recordViolation(run, `${ref} ${isAlive ? 'exists' : 'does not exist'}, but: ${text}`)
  if (!isAlive) return
  const shown = factsOf(kind, body)
  for (const [fact, value] of Object.entries(facts)) {
    if (isDeepStrictEqual(shown[fact], value)) continue
    if (isPassing(kind, fact, value)) {
      facts[fact] = shown[fact]
      continue
    }
    recordViolation(
      run,
      `${fact} of ${id} is ${JSON.stringify(shown[fact])}, acknowledged was ${JSON.stringify(value)}`,
    )
  }
}
