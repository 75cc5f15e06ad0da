/** What an operation is planned from: the actors, the known resources, the time. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { EventMemory } from './checks/event-memory.ts'
import type { RandomChoices } from './choices.ts'
import type { Inventory, Resource, ResourceKind } from './inventory.ts'
import type { ReplicaResponse } from './replicas/client.ts'
import type { SimWorld, WorldAccount } from './world.ts'

/** An account of the run, with its limited tokens. */
export type SimActor = WorldAccount & {
  /** Created by the run: it may lose its last rights. */
  readonly isDisposable: boolean
  readonly isPlatform: boolean
  readonly tokens: Map<string, string>
}

/** One call, with how its response is recorded and verified. */
export type CallPlan = {
  readonly op: OperationName
  readonly actor: SimActor
  readonly token?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly key?: string | undefined
  /** Called with the body of a success. */
  readonly record?: (body: any) => void
  /** Describes a wrong response; undefined for a right one. */
  readonly verify?: (response: ReplicaResponse) => string | undefined
  /** Resources that are read again when the response was lost. */
  readonly touches?: readonly Resource[]
  /** Bytes for a signed URL that an earlier response contained. */
  readonly transfer?: { readonly path: string; readonly bytes: Buffer }
  /** The Accept header. */
  readonly accept?: string
  /** The next call, whatever the response is. */
  readonly eventually?: CallPlan | undefined
  /** The next call, depending on the response. */
  readonly next?: (response: ReplicaResponse) => CallPlan | undefined
}

export type SimContext = {
  readonly choices: RandomChoices
  readonly world: SimWorld
  readonly inventory: Inventory
  readonly actors: SimActor[]
  readonly platform: SimActor
  /** For the coverage pass: the account that runs its items, and its trading partner. */
  readonly coverage: { readonly account: SimActor; readonly partner: SimActor }
  /** Refused calls of the coverage pass. */
  readonly refused: CallPlan[]
  /** The business clock at the start of the step. */
  now: number
  /** Readers of event logs. */
  readonly readers: SimReader[]
  /** Every event that a response contained. */
  readonly shown: EventMemory
  /** Halted SKUs, or `all`. */
  readonly halts: Set<string>
  /** Keyed successes that can be replayed. */
  readonly keyed: KeyedCall[]
  /** Positions in lists whose elements are used in turn. Each seed starts at another position. */
  readonly turns: Map<string, number>
  readonly firstTurn: number
  /** Increments a count of the run. */
  count(what: string): void
  nextKey(): string
}

/** A successful call with a key, and its request. */
export type KeyedCall = { readonly plan: CallPlan; readonly status: number; readonly body: any; readonly at: number }

/** A reader that follows an account's events from cursor to cursor. */
export type SimReader = {
  readonly actor: SimActor
  readonly filters: string
  readonly fits: (event: { action: string; target_type: string; target_id: string }) => boolean
  cursor: string | undefined
  /** When the cursor's event was recorded. */
  cursor_at: number
  /** The start of retention when it started or restarted. */
  from: number
  /** Ids in the order in which they were read since then. */
  seen: string[]
}

/** A kind of call with its weight. `plan` gives undefined where no resource fits. */
export type SimOperation = {
  readonly name: string
  readonly weight: number
  readonly plan: (context: SimContext) => CallPlan | undefined
  /** Its result has work due every few minutes without end, which would make weeks of simulated time too slow. */
  readonly is_endless?: boolean
}

const invalidPercent = { removed: 6, foreign: 3, absent: 2 }

/** A random account. */
export function anyActor({ actors, choices }: SimContext): SimActor {
  return choices.pick(actors)
}

/**
 * A resource of a kind for an actor: mostly one of its own that exists, sometimes a removed or a foreign one. Undefined
 * if the actor has none.
 */
export function pickResource(
  context: SimContext,
  actor: SimActor,
  kind: ResourceKind,
  fits?: (resource: Resource) => boolean,
): Resource | undefined {
  const { choices, inventory } = context
  const dice = choices.integer(100)
  const isOwn = (resource: Resource) => resource.account === actor.id
  const pools = [
    dice < invalidPercent.removed ? inventory.all(kind, (resource) => isOwn(resource) && !resource.isAlive) : [],
    dice >= invalidPercent.removed && dice < invalidPercent.removed + invalidPercent.foreign
      ? inventory.all(kind, (resource) => !isOwn(resource))
      : [],
    inventory.all(kind, (resource) => isOwn(resource) && resource.isAlive && (fits?.(resource) ?? true)),
    fits ? inventory.all(kind, (resource) => isOwn(resource) && resource.isAlive) : [],
  ]
  const chosen = pools.find((pool) => pool.length > 0)
  return chosen && choices.pick(chosen)
}

/** Like {@link pickResource}, as an id or path; sometimes an id that does not exist. */
export function refTo(
  context: SimContext,
  actor: SimActor,
  kind: ResourceKind,
  fits?: (resource: Resource) => boolean,
): string | undefined {
  const { choices, inventory } = context
  const resource = pickResource(context, actor, kind, fits)
  if (!resource) return undefined
  if (choices.integer(100) < invalidPercent.absent) return absent(resource.id.split('_')[0] as string)
  return inventory.ref(resource, choices)
}

/** One of few names, so that names clash. */
export function anyName({ choices }: SimContext, word: string, count = 7): string {
  return `${word}-${choices.integer(count)}`
}

/** A value with this probability, else undefined. */
export function maybe<T>({ choices }: SimContext, percent: number, make: () => T): T | undefined {
  return choices.chance(percent) ? make() : undefined
}

/** The object without members that are undefined. */
export function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>
}

export function tagsFor({ choices }: SimContext): Record<string, string> | null {
  if (choices.chance(20)) return null
  return { team: choices.pick(['blue', 'red']), ...(choices.chance(30) ? { stage: 'prod' } : {}) }
}

/** An idempotency key in most cases. */
export function maybeKey(context: SimContext): string | undefined {
  return context.choices.chance(65) ? context.nextKey() : undefined
}

/** Records a response body as a resource of an actor. */
export function recording(context: SimContext, actor: Pick<SimActor, 'id'>, kind: ResourceKind): (body: any) => void {
  return (body) => void context.inventory.record(kind, body, { account: actor.id, now: context.now })
}

/** The deletion of a resource. */
export function removal(
  context: SimContext,
  op: OperationName,
  kind: ResourceKind,
  { actor = anyActor(context), fits }: { actor?: SimActor; fits?: (resource: Resource) => boolean } = {},
): CallPlan | undefined {
  const resource = pickResource(context, actor, kind, fits)
  if (!resource) return undefined
  return {
    op,
    actor,
    params: { id: context.inventory.ref(resource, context.choices) },
    touches: [resource],
    record: () => context.inventory.remove(resource.id),
  }
}

/** A call, followed by another one if it succeeds. */
export function then(plan: CallPlan, next: (body: any) => CallPlan | undefined): CallPlan {
  return { ...plan, next: ({ status, body }) => (status < 300 ? next(body) : undefined) }
}

/** The next element of a list whose elements are used in turn. */
export function inTurn<T>({ turns, firstTurn }: SimContext, name: string, list: readonly T[]): T {
  const turn = turns.get(name) ?? firstTurn
  turns.set(name, turn + 1)
  return list[turn % list.length] as T
}

/** A well-formed id that does not exist. */
export function absent(prefix: string): string {
  return `${prefix}_0000000000000000000zz`
}
