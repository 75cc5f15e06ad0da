/** What can be chosen in forms about instances. */
import type { InstanceTemplate, Pool, Sku } from '@bourse/sdk'
import { useAll } from '../live/all.ts'
import { useSkuChoices, useWorkspaceChoices } from '../live/choices.ts'
import type { ChoiceOption } from '../live/forms/choice.tsx'

type ResourceChoices<T> = { readonly options: readonly ChoiceOption[]; readonly rows: readonly T[] }

const paused = 60_000

/** Pools of these kinds, or of all. */
export function usePools(kinds?: readonly Pool['kind'][]): ResourceChoices<Pool> {
  const { data = [] } = useAll('list_pools', {}, { every: paused })
  const rows = data.filter(({ kind }) => kinds?.includes(kind) ?? true)
  return { rows, options: rows.map((pool) => ({ id: pool.id, name: pool.name, note: pool.workspace.name })) }
}

/** The SKUs of the catalog. */
export function useSkus(): ResourceChoices<Sku> {
  const { data = [] } = useSkuChoices({ every: paused })
  return { rows: data, options: data.map(({ id, alias, region }) => noted(id, alias, region?.display_value)) }
}

/** Images that can start. */
export function useImages(): readonly ChoiceOption[] {
  const { data = [] } = useAll('list_images', { state: ['completed'] })
  return data.map(({ id, name, workspace }) => noted(id, name, workspace?.name))
}

/** Instance templates. */
export function useTemplates(): ResourceChoices<InstanceTemplate> {
  const { data = [] } = useAll('list_instance_templates', {})
  return { rows: data, options: data.map(({ id, name, workspace }) => noted(id, name, workspace.name)) }
}

/** Workspaces of the account. */
export function useWorkspaces(): readonly ChoiceOption[] {
  const { data = [] } = useWorkspaceChoices()
  return data.map(({ id, name }) => ({ id, name }))
}

/** Subnets, firewalls and InfiniBand partitions. */
export function useNetworks() {
  const options = { every: paused }
  const subnets = useAll('list_subnets', {}, options)
  const firewalls = useAll('list_firewalls', {}, options)
  const partitions = useAll('list_infiniband_partitions', {}, options)
  return {
    subnets: subnets.data?.map(({ id, name, workspace }) => noted(id, name, workspace.name)) ?? [],
    firewalls: firewalls.data?.map(({ id, name, workspace }) => noted(id, name, workspace.name)) ?? [],
    partitions: partitions.data?.map(({ id, name, workspace }) => noted(id, name, workspace.name)) ?? [],
  }
}

/** Options of a filter, with "All" before them. */
export function allOf(options: readonly ChoiceOption[]): Readonly<Record<string, string>> {
  return { '': 'All', ...Object.fromEntries(options.map(({ id, name }) => [id, name])) }
}

function noted(id: string, name: string, note: string | undefined): ChoiceOption {
  return { id, name, ...(note === undefined ? {} : { note }) }
}
