/** What mistakes are made with: things that are there, and bodies that would do. */
import type { Thing, ThingKind } from '../book.ts'
import type { Actor, Plan, Scene } from '../scene.ts'
import { isUsable } from './images.ts'

/** A call, and what has to be there for it, that is to be refused; undefined where it cannot be made. */
export type Mistake = (scene: Scene, actor: Actor) => Plan | undefined

export const policy = {
  api_version: 'roles/v1',
  rules: [{ effect: 'allow', actions: { firewall: ['read'] } }],
}

/** What an account has of a kind. */
export function owned(
  { book }: Scene,
  { id }: Pick<Actor, 'id'>,
  kind: ThingKind,
  fits: (thing: Thing) => boolean = () => true,
): Thing[] {
  return book.all(kind, (thing) => thing.isAlive && thing.account === id && fits(thing))
}

/** Any of some. */
export function some<T>({ choices }: Scene, things: readonly T[]): T | undefined {
  return things.length === 0 ? undefined : choices.pick(things)
}

/** An image that machines of an account may start from. */
export function imageIn(scene: Scene, account: string): string | undefined {
  return owned(scene, { id: account }, 'image', isUsable)[0]?.id
}

/** A pool of an account's own workspace that takes instances. */
export function poolOf(scene: Scene, actor: Actor, kind?: 'market' | 'originating'): Thing | undefined {
  const fits = ({ facts }: Thing) => (kind === undefined ? facts.kind !== 'originating' : facts.kind === kind)
  const pools = owned(scene, actor, 'pool', fits)
  return pools.find(({ workspace }) => workspace === actor.workspace_id) ?? pools[0]
}
