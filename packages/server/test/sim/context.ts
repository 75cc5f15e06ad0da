/** What a operation sees when it is planned: who acts, what is known, what time it is. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { EventMemory } from './checks/event-memory.ts'
import type { Choices } from './choices.ts'
import type { Inventory, Resource, ResourceKind } from './inventory.ts'
import type { Response } from './replicas/client.ts'
import type { World, WorldAccount } from './world.ts'

/** An account that takes part, and tokens that act for it. */
export type Actor = WorldAccount & {
  /** Made by the run itself: it may lose its last rights. */
  readonly isDisposable: boolean
  readonly isPlatform: boolean
  readonly tokens: Map<string, string>
}

/** One call and what its success means. */
export type Plan = {
  readonly op: OperationName
  readonly actor: Actor
  readonly token?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly key?: string | undefined
  /** Told of a success. */
  readonly record?: (body: any) => void
  /** What must not have been answered, in words; undefined when all is well. */
  readonly verify?: (response: Response) => string | undefined
  /** Things whose present state is read again where the answer was lost. */
  readonly touches?: readonly Resource[]
  /** Bytes that are sent to a signed URL that an answer of the operation gave, by its path. */
  readonly transfer?: { readonly path: string; readonly bytes: Buffer }
  /** Asks for the answer in this form. */
  readonly accept?: string
  /** What has to follow, whatever became of this. */
  readonly eventually?: Plan | undefined
  /** What the same actor does next. */
  readonly next?: (response: Response) => Plan | undefined
}

export type Context = {
  readonly choices: Choices
  readonly world: World
  readonly inventory: Inventory
  readonly actors: Actor[]
  readonly platform: Actor
  /** For the coverage pass: who works off its items, and whom that one trades with. */
  readonly coverage: { readonly account: Actor; readonly partner: Actor }
  /** Calls that the coverage pass had refused. */
  readonly refused: Plan[]
  /** The business clock when the step began. */
  now: number
  /** What reader left unread, by name. */
  readonly readers: Reader[]
  /** Every event that was shown. */
  readonly shown: EventMemory
  /** What of the market is halted: SKUs, or all of it. */
  readonly halts: Set<string>
  /** Keyed successes that may be tried again. */
  readonly keyed: Keyed[]
  /** Whose turn it is, of what is done in turn. Each seed begins elsewhere, so that many seeds do all of it. */
  readonly turns: Map<string, number>
  readonly firstTurn: number
  /** Counts what the guards ask for. */
  count(what: string): void
  nextKey(): string
}

/** A success under a key, and what was sent. */
export type Keyed = { readonly plan: Plan; readonly status: number; readonly body: any; readonly at: number }

/** Someone who follows an account's events from cursor to cursor. */
export type Reader = {
  readonly actor: Actor
  readonly filters: string
  readonly fits: (event: { action: string; target_type: string; target_id: string }) => boolean
  cursor: string | undefined
  /** When the event of the cursor was recorded. */
  cursor_at: number
  /** The edge of retention when it began, or began again. */
  from: number
  /** Ids in the order in which they came since then. */
  seen: string[]
}

/** A operation: something that somebody may do, by its weight. Undefined where there is nothing to do it to. */
export type Operation = {
  readonly name: string
  readonly weight: number
  readonly plan: (context: Context) => Plan | undefined
  /** What comes of it has something due every few minutes for ever: weeks would not pass. */
  readonly is_endless?: boolean
}

const invalidPercent = { dead: 6, foreign: 3, absent: 2 }

/** Somebody's account. */
export function anyActor({ actors, choices }: Context): Actor {
  return choices.pick(actors)
}

/**
 * A resource of a kind that an actor may mean: mostly a living one of its own, sometimes one that is gone, belongs to
 * another, or never was. Undefined where it has none.
 */
export function pickResource(
  context: Context,
  actor: Actor,
  kind: ResourceKind,
  fits?: (resource: Resource) => boolean,
): Resource | undefined {
  const { choices, inventory } = context
  const dice = choices.integer(100)
  const isOwn = (resource: Resource) => resource.account === actor.id
  const pools = [
    dice < invalidPercent.dead ? inventory.all(kind, (resource) => isOwn(resource) && !resource.isAlive) : [],
    dice >= invalidPercent.dead && dice < invalidPercent.dead + invalidPercent.foreign
      ? inventory.all(kind, (resource) => !isOwn(resource))
      : [],
    inventory.all(kind, (resource) => isOwn(resource) && resource.isAlive && (fits?.(resource) ?? true)),
    fits ? inventory.all(kind, (resource) => isOwn(resource) && resource.isAlive) : [],
  ]
  const chosen = pools.find((pool) => pool.length > 0)
  return chosen && choices.pick(chosen)
}

/** Like {@link meant}, as it stands in a request; now and then the id of nothing. */
export function refTo(
  context: Context,
  actor: Actor,
  kind: ResourceKind,
  fits?: (resource: Resource) => boolean,
): string | undefined {
  const { choices, inventory } = context
  const resource = pickResource(context, actor, kind, fits)
  if (!resource) return undefined
  if (choices.integer(100) < invalidPercent.absent) return absent(resource.id.split('_')[0] as string)
  return inventory.ref(resource, choices)
}

/** A name out of few, so that names clash. */
export function anyName({ choices }: Context, word: string, count = 7): string {
  return `${word}-${choices.integer(count)}`
}

/** Members with those that were drawn in: each is there so many times in a hundred. */
export function maybe<T>({ choices }: Context, percent: number, make: () => T): T | undefined {
  return choices.chance(percent) ? make() : undefined
}

/** Without members that are undefined. */
export function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>
}

export function tagsFor({ choices }: Context): Record<string, string> | null {
  if (choices.chance(20)) return null
  return { team: choices.pick(['blue', 'red']), ...(choices.chance(30) ? { stage: 'prod' } : {}) }
}

/** A key for a call that takes one, most of the time. */
export function maybeKey(context: Context): string | undefined {
  return context.choices.chance(65) ? context.nextKey() : undefined
}

/** Takes the body of an answer into the book as an actor's. */
export function recording(context: Context, actor: Pick<Actor, 'id'>, kind: ResourceKind): (body: any) => void {
  return (body) => void context.inventory.record(kind, body, { account: actor.id, now: context.now })
}

/** The end of one of a kind. */
export function removal(
  context: Context,
  op: OperationName,
  kind: ResourceKind,
  { actor = anyActor(context), fits }: { actor?: Actor; fits?: (resource: Resource) => boolean } = {},
): Plan | undefined {
  const resource = pickResource(context, actor, kind, fits)
  if (!resource) return undefined
  return {
    ...{ op, actor, params: { id: context.inventory.ref(resource, context.choices) }, touches: [resource] },
    record: () => context.inventory.remove(resource.id),
  }
}

/** A call, and what is done where it succeeds. */
export function then(plan: Plan, next: (body: any) => Plan | undefined): Plan {
  return { ...plan, next: ({ status, body }) => (status < 300 ? next(body) : undefined) }
}

/** The one of a list whose turn it is. */
export function inTurn<T>({ turns, firstTurn }: Context, name: string, list: readonly T[]): T {
  const turn = turns.get(name) ?? firstTurn
  turns.set(name, turn + 1)
  return list[turn % list.length] as T
}

/** The id of nothing. */
export function absent(prefix: string): string {
  return `${prefix}_0000000000000000000zz`
}
