/** What invalid operations are made with: things that are there, and bodies that would do. */

import type { Actor, Context, Plan } from '../context.ts'
import type { Resource, ResourceKind } from '../inventory.ts'
import { isUsable } from './images.ts'

/** A call, and what has to be there for it, that is to be refused; undefined where it cannot be made. */
export type InvalidOperation = (context: Context, actor: Actor) => Plan | undefined

export const policy = {
  api_version: 'roles/v1',
  rules: [{ effect: 'allow', actions: { firewall: ['read'] } }],
}

/** What an account has of a kind. */
export function owned(
  { inventory }: Context,
  { id }: Pick<Actor, 'id'>,
  kind: ResourceKind,
  fits: (resource: Resource) => boolean = () => true,
): Resource[] {
  return inventory.all(kind, (resource) => resource.isAlive && resource.account === id && fits(resource))
}

/** Any of some. */
export function some<T>({ choices }: Context, resources: readonly T[]): T | undefined {
  return resources.length === 0 ? undefined : choices.pick(resources)
}

/** An image that machines of an account may start from. */
export function imageIn(context: Context, account: string): string | undefined {
  return owned(context, { id: account }, 'image', isUsable)[0]?.id
}

/** A pool of an account's own workspace that takes instances. */
export function poolOf(context: Context, actor: Actor, kind?: 'market' | 'originating'): Resource | undefined {
  const fits = ({ facts }: Resource) => (kind === undefined ? facts.kind !== 'originating' : facts.kind === kind)
  const pools = owned(context, actor, 'pool', fits)
  return pools.find(({ workspace }) => workspace === actor.workspace_id) ?? pools[0]
}
