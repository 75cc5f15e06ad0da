/** Lists to choose from, and names by their ids, that pages of several areas share: each is read once. */
import { useAll } from './all.ts'
import type { ReadOptions } from './queries.ts'

/** The SKUs that are on the market. */
export function useSkuChoices(options: ReadOptions = {}) {
  return useAll('list_skus', {}, options)
}

/** The workspaces that one sees. */
export function useWorkspaceChoices() {
  return useAll('list_workspaces', {})
}

/** The alias of a SKU by its id; the id itself while it is not known, or was retired. */
export function useSkuNames(): (id: string | null) => string {
  const { data } = useSkuChoices()
  const names = new Map<string, string>(data?.map(({ id, alias }) => [id, alias]))
  return (id) => (id === null ? '–' : names.get(id) || id)
}

/** The name of a workspace by its id; the id itself while it is not known. */
export function useWorkspaceNames(): (id: string | null) => string {
  const { data } = useWorkspaceChoices()
  const names = new Map<string, string>(data?.map(({ id, name }) => [id, name]))
  return (id) => (id === null ? '–' : (names.get(id) ?? id))
}
