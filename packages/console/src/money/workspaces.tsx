/** Workspaces by their names, and a choice among them. */

import { useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { Select } from '../ui/select.tsx'

function useWorkspaces() {
  return useAll('workspace', 'choices', () => client.workspaces.list({ limit: 200 }))
}

/** The name of a workspace by its id; the id itself while it is not known. */
export function useWorkspaceNames(): (id: string | null) => string {
  const { data } = useWorkspaces()
  const names = new Map<string, string>(data?.map(({ id, name }) => [id, name]))
  return (id) => (id === null ? '–' : (names.get(id) ?? id))
}

/** The alias of a SKU by its id; the id itself while it is not known, or was retired. */
export function useSkuNames(): (id: string | null) => string {
  const { data } = useAll('sku', 'choices', () => client.skus.list({ limit: 200 }))
  const names = new Map<string, string>(data?.map(({ id, alias }) => [id, alias]))
  return (id) => (id === null ? '–' : (names.get(id) ?? id))
}

/** A filter by workspace. */
export function WorkspaceSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data = [] } = useWorkspaces()
  const options = { '': 'All', ...Object.fromEntries(data.map(({ id, name }) => [id, name])) }
  return <Select label="Workspace" value={value} onChange={onChange} options={options} />
}

/** The options of workspaces in a form. */
export function WorkspaceOptions() {
  const { data = [] } = useWorkspaces()
  return data.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))
}
