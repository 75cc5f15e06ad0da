/** What a deed sees when it is planned: who acts, what is known, what time it is. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { Book, Thing, ThingKind } from './book.ts'
import type { Choices } from './choices.ts'
import type { EventMemory } from './event-memory.ts'
import type { Answer } from './wire.ts'
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
  readonly learn?: (body: any) => void
  /** What must not have been answered, in words; undefined when all is well. */
  readonly judge?: (answer: Answer) => string | undefined
  /** Things whose present state is read again where the answer was lost. */
  readonly touches?: readonly Thing[]
  /** Bytes that are sent to a signed URL that an answer of the operation gave, by its path. */
  readonly transfer?: { readonly path: string; readonly bytes: Buffer }
  /** Asks for the answer in this form. */
  readonly accept?: string
  /** What has to follow, whatever became of this. */
  readonly eventually?: Plan | undefined
  /** What the same actor does next. */
  readonly next?: (answer: Answer) => Plan | undefined
}

export type Scene = {
  readonly choices: Choices
  readonly world: World
  readonly book: Book
  readonly actors: Actor[]
  readonly platform: Actor
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

/** A deed: something that somebody may do, by its weight. Undefined where there is nothing to do it to. */
export type Deed = {
  readonly name: string
  readonly weight: number
  readonly plan: (scene: Scene) => Plan | undefined
  /** What comes of it has something due every few minutes for ever: weeks would not pass. */
  readonly is_endless?: boolean
}

const spoil = { dead: 6, foreign: 3, absent: 2 }

/** Somebody's account. */
export function anyActor({ actors, choices }: Scene): Actor {
  return choices.pick(actors)
}

/**
 * A resource of a kind that an actor may mean: mostly a living one of its own, sometimes one that is gone, belongs to
 * another, or never was. Undefined where it has none.
 */
export function meant(
  scene: Scene,
  actor: Actor,
  kind: ThingKind,
  fits?: (thing: Thing) => boolean,
): Thing | undefined {
  const { choices, book } = scene
  const dice = choices.integer(100)
  const isOwn = (thing: Thing) => thing.account === actor.id
  const pools = [
    dice < spoil.dead ? book.all(kind, (thing) => isOwn(thing) && !thing.isAlive) : [],
    dice >= spoil.dead && dice < spoil.dead + spoil.foreign ? book.all(kind, (thing) => !isOwn(thing)) : [],
    book.all(kind, (thing) => isOwn(thing) && thing.isAlive && (fits?.(thing) ?? true)),
    fits ? book.all(kind, (thing) => isOwn(thing) && thing.isAlive) : [],
  ]
  const chosen = pools.find((pool) => pool.length > 0)
  return chosen && choices.pick(chosen)
}

/** Like {@link meant}, as it stands in a request; now and then the id of nothing. */
export function refTo(
  scene: Scene,
  actor: Actor,
  kind: ThingKind,
  fits?: (thing: Thing) => boolean,
): string | undefined {
  const { choices, book } = scene
  const thing = meant(scene, actor, kind, fits)
  if (!thing) return undefined
  if (choices.integer(100) < spoil.absent) return absent(thing.id.split('_')[0] as string)
  return book.ref(thing, choices)
}

/** A name out of few, so that names clash. */
export function anyName({ choices }: Scene, word: string, count = 7): string {
  return `${word}-${choices.integer(count)}`
}

/** Members with those that were drawn in: each is there so many times in a hundred. */
export function maybe<T>({ choices }: Scene, percent: number, make: () => T): T | undefined {
  return choices.chance(percent) ? make() : undefined
}

/** Without members that are undefined. */
export function given<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>
}

export function tagsFor({ choices }: Scene): Record<string, string> | null {
  if (choices.chance(20)) return null
  return { team: choices.pick(['blue', 'red']), ...(choices.chance(30) ? { stage: 'prod' } : {}) }
}

/** A key for a call that takes one, most of the time. */
export function maybeKey(scene: Scene): string | undefined {
  return scene.choices.chance(65) ? scene.nextKey() : undefined
}

/** Takes the body of an answer into the book as an actor's. */
export function learning(scene: Scene, actor: Pick<Actor, 'id'>, kind: ThingKind): (body: any) => void {
  return (body) => void scene.book.learn(kind, body, { account: actor.id, now: scene.now })
}

/** The end of one of a kind. */
export function removal(
  scene: Scene,
  op: OperationName,
  kind: ThingKind,
  { actor = anyActor(scene), fits }: { actor?: Actor; fits?: (thing: Thing) => boolean } = {},
): Plan | undefined {
  const thing = meant(scene, actor, kind, fits)
  if (!thing) return undefined
  return {
    ...{ op, actor, params: { id: scene.book.ref(thing, scene.choices) }, touches: [thing] },
    learn: () => scene.book.forget(thing.id),
  }
}

/** A call, and what is done where it succeeds. */
export function then(plan: Plan, next: (body: any) => Plan | undefined): Plan {
  return { ...plan, next: ({ status, body }) => (status < 300 ? next(body) : undefined) }
}

/** The one of a list whose turn it is. */
export function inTurn<T>({ turns, firstTurn }: Scene, name: string, list: readonly T[]): T {
  const turn = turns.get(name) ?? firstTurn
  turns.set(name, turn + 1)
  return list[turn % list.length] as T
}

/** The id of nothing. */
export function absent(prefix: string): string {
  return `${prefix}_0000000000000000000zz`
}
