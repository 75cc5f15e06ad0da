/** The state of one run, and what all of its parts do with it. */
import { isDeepStrictEqual } from 'node:util'
import { cachedBooks } from '../../src/market/trading/book-cache.service.ts'
import type { Book, Thing } from './book.ts'
import { factsOf, isPassing, isReadable, readPaths } from './book.ts'
import type { PlacedChoices } from './choices.ts'
import type { Digest } from './digest.ts'
import { compareInventory, type Held } from './inspection.ts'
import { readNotes } from './market-record.ts'
import type { MarketTwins } from './market-twin.ts'
import type { RunOptions } from './options.ts'
import type { Monitor, Replica, Replicas, Trouble } from './replicas.ts'
import type { Actor, Deed, Plan, Scene } from './scene.ts'
import type { Answer } from './wire.ts'

/** A command that stands still in its replica. */
export type Paused = {
  readonly replica: Replica
  readonly plan: Plan | undefined
  readonly trouble: Trouble
  readonly goOn: () => void
  /** The process of the database that holds its locks. */
  readonly pid: number | undefined
  readonly answered: Promise<Answer>
  /** Steps until it goes on by itself. */
  steps_left: number
}

export type Run = {
  readonly options: RunOptions
  readonly choices: PlacedChoices
  readonly scene: Scene
  readonly deeds: readonly Deed[]
  readonly replicas: Replicas
  readonly monitor: Monitor
  readonly digest: Digest
  /** The naive books that every trade is compared with. */
  readonly twins: MarketTwins
  readonly violations: string[]
  readonly counts: Map<string, number>
  readonly say: (line: string) => void
  /** What actors said that they would do next. */
  readonly chain: Plan[]
  paused: Paused | undefined
  /** Commits when everything that a step touches was looked at last. */
  judgedAt: number
  /** Whether a twin was let wait. */
  hadTwin: boolean
  step: number
  requests: number
}

export function complain(run: Run, what: string): void {
  run.violations.push(`step ${run.step}: ${what}`)
}

export function count({ counts }: Run, what: string, by = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + by)
}

/** A replica that is not paused: mostly the same one, which costs less, since it has planned most statements before. */
export function freeReplica({ choices, replicas, paused }: Run): Replica {
  const free = replicas.all.filter((replica) => replica !== paused?.replica)
  return choices.chance(75) ? (free[0] as Replica) : choices.pick(free)
}

/** Waits for what answered calls left to be noted beside them. */
export function settle({ replicas, paused }: Run): Promise<void> {
  return replicas.quiet(paused?.replica)
}

/** A call of the run's own, to know what is there: by an admin, through any replica. */
export async function look(run: Run, actor: Actor, path: string, method = 'GET', body?: object): Promise<Answer> {
  await settle(run)
  run.requests += 1
  const sent = { method, path, token: actor.token, body, request_id: `look-${run.requests}` }
  return freeReplica(run).wire.send(sent)
}

/** Compares what was traded since the last time, and the books in the replicas' memories, with the naive books. */
export async function judgeTrades(run: Run): Promise<void> {
  const { twins, monitor, replicas } = run
  const { notes, resuming } = await readNotes(monitor.database)
  for (const flaw of twins.follow(notes, resuming)) complain(run, flaw)
  for (const { index, server } of replicas.all) {
    for (const [sku_id, cached] of cachedBooks(server.runtime)) {
      const flaw = twins.judgeCache(sku_id, cached)
      if (flaw) complain(run, `${flaw} (replica ${index})`)
    }
  }
}

function actorOf({ scene }: Run, account: string): Actor | undefined {
  return scene.actors.find(({ id }) => id === account) ?? (scene.platform.id === account ? scene.platform : undefined)
}

/** Takes what the server shows of a resource into the book, whatever was known before. */
export async function learnAnew(
  run: Run,
  { kind, id, account }: Pick<Thing, 'kind' | 'id' | 'account'>,
): Promise<void> {
  const { book, now } = run.scene
  const actor = actorOf(run, account)
  if (!actor || !isReadable(kind)) return
  const { status, body } = await look(run, actor, `${readPaths[kind]}/${id}`)
  if (status === 200) book.learn(kind, body, { account, now })
  // Whoever gave up its own rights cannot look any more, and knows what it knew.
  else if (status === 404 && !actor.isDisposable) book.forget(id)
}

/** Compares what is there with what was acknowledged; `isSure`: no answer was lost since the last time. */
export async function takeInventory(run: Run, { isSure }: { isSure: boolean }): Promise<void> {
  const { scene, monitor } = run
  const { unknown, lost, flaws } = await compareInventory(monitor.database, scene.book, scene.now)
  for (const row of unknown) await meetUnknown(run, row, isSure)
  for (const thing of lost) {
    const isBlind = actorOf(run, thing.account)?.isDisposable
    if (isSure && !isBlind && !goesWithOthers(scene.book, thing))
      complain(run, `${thing.id} was acknowledged and is gone`)
    scene.book.forget(thing.id)
  }
  for (const flaw of flaws) if (isSure) complain(run, flaw)
}

async function meetUnknown(run: Run, row: Held, isSure: boolean): Promise<void> {
  const { id, account_id: account, is_own, name } = row
  if (!actorOf(run, account)) return
  const isBlind = actorOf(run, account)?.isDisposable
  if (isSure && !is_own && !isBlind) complain(run, `${id} (${name}) is there and was never acknowledged`)
  await learnAnew(run, { kind: row.kind, id, account })
}

/** Grants end with their principal or place, a default firewall with its workspace. */
function goesWithOthers(book: Book, { kind, facts, workspace }: Thing): boolean {
  if (kind === 'grant') return true
  return kind === 'firewall' && facts.is_default === true && !book.things.get(workspace ?? '')?.isAlive
}

/** Reads one thing of the book again, by any replica: it is as it was acknowledged. */
export async function readAgain(run: Run): Promise<void> {
  const { scene, choices } = run
  const known = [...scene.book.things.values()].filter(({ kind, account }) => {
    const actor = actorOf(run, account)
    return kind !== 'sku' && isReadable(kind) && actor !== undefined && !actor.isDisposable
  })
  if (known.length === 0) return
  const thing = choices.pick(known)
  const { kind, id, account, isAlive, facts } = thing
  const ref = isAlive ? scene.book.ref(thing, choices) : id
  const path = `${readPaths[kind as keyof typeof readPaths]}/${ref}`
  const { status, body, text } = await look(run, actorOf(run, account) as Actor, path)
  if (status === 404 && isAlive && kind === 'instance') return learnAnew(run, thing)
  // A purged one has given its name back, and another may bear it by now.
  if (status === 200 && isAlive && kind === 'instance' && body.id !== id) return learnAnew(run, thing)
  if (status === 404 && isAlive && goesWithOthers(scene.book, thing)) return scene.book.forget(id)
  if (status !== (isAlive ? 200 : 404)) return complain(run, `${ref} is ${isAlive ? 'there' : 'gone'}, but: ${text}`)
  if (!isAlive) return
  const shown = factsOf(kind, body)
  for (const [fact, value] of Object.entries(facts)) {
    if (isDeepStrictEqual(shown[fact], value)) continue
    if (isPassing(kind, fact, value)) {
      facts[fact] = shown[fact]
      continue
    }
    complain(run, `${fact} of ${id} is ${JSON.stringify(shown[fact])}, acknowledged was ${JSON.stringify(value)}`)
  }
}
