/** Choices among the resources of a kind, for forms that name one. */
import type { Item } from '@bourse/sdk'
import { useAll } from '../all.ts'
import type { ListFilters, ListName } from '../operations.ts'
import type { ReadOptions } from '../queries.ts'
import type { ChoiceOption } from './choice.tsx'

/** How the resources of a kind are listed. */
const lists = {
  firewall: 'list_firewalls',
  image: 'list_images',
  infiniband_partition: 'list_infiniband_partitions',
  instance_template: 'list_instance_templates',
  pool: 'list_pools',
  role: 'list_roles',
  sku: 'list_skus',
  subnet: 'list_subnets',
  workspace: 'list_workspaces',
} as const satisfies Readonly<Record<string, ListName>>

/** A kind that forms let choose from. */
export type Thing = keyof typeof lists

/** Whether there is a choice among the resources of a kind. */
export function isThing(kind: string | undefined): kind is Thing {
  return kind !== undefined && Object.hasOwn(lists, kind)
}

/** What choices are read with: only images that can start, and for the rest no filter. */
const filters: Readonly<Partial<Record<Thing, object>>> = { image: { state: ['completed'] } }

/** Resources of a kind that can be chosen; of images first those that the operator offers to every account. */
export function useThings(kind: Thing, reading: ReadOptions = {}): readonly ChoiceOption[] {
  const operation: ListName = lists[kind]
  const { data = [] } = useAll(operation, { ...filters[kind] } as ListFilters<ListName>, reading)
  const enabled = kind === 'image' && reading.enabled !== false
  const { data: offered = [] } = useAll('list_images', { public: true, state: ['completed'] }, { ...reading, enabled })
  const options = data.map(optionOf)
  if (offered.length === 0) return options
  const first = new Map(offered.map((image) => [image.id as string, optionOf(image)]))
  return [...first.values(), ...options.filter(({ id }) => !first.has(id))]
}

/** A resource by its name, with what tells it from others of the name. */
export function optionOf(row: NamedThing | Item<ListName>): ChoiceOption {
  const { id, name, alias, workspace, region, policy } = row as NamedThing
  const note = policy?.description ?? workspace?.name ?? region?.display_value
  return { id, name: (name ?? alias) || id, ...(note ? { note } : {}) }
}

type NamedThing = {
  readonly id: string
  readonly name?: string
  readonly alias?: string | null
  readonly workspace?: { readonly name: string } | null
  readonly region?: { readonly display_value: string }
  readonly policy?: { readonly description?: string }
}
