/** The filters above the list of instances. */

import { allOr, Select } from '../ui/select.tsx'
import type { ChoiceOption } from './choice.tsx'
import { usePools, useSkus, useWorkspaces } from './choices.ts'

const states = ['awaiting_allocation', 'running', 'failed', 'terminated']

/** No filter: everything is shown. */
export const noFilters = { state: '', pool: '', sku: '', workspace: '', tag: '', name: '' }

type FilterProps = { value: typeof noFilters; onChange: (change: Partial<typeof noFilters>) => void }

/** The filters; the search looks at names as they are loaded. */
export function InstanceFilters({ value, onChange }: FilterProps) {
  const pools = usePools(['market', 'read_only']).options
  const skus = useSkus().options
  const workspaces = useWorkspaces()
  return (
    <search className="row no-print">
      <input
        type="search"
        aria-label="Search by name"
        placeholder="Name"
        value={value.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <Select label="State" value={value.state} onChange={(state) => onChange({ state })} options={allOr(states)} />
      <Select label="Pool" value={value.pool} onChange={(pool) => onChange({ pool })} options={allOf(pools)} />
      <Select label="SKU" value={value.sku} onChange={(sku) => onChange({ sku })} options={allOf(skus)} />
      {workspaces.length > 1 ? (
        <Select
          label="Workspace"
          value={value.workspace}
          onChange={(workspace) => onChange({ workspace })}
          options={allOf(workspaces)}
        />
      ) : null}
      <input
        aria-label="Tag"
        placeholder="Tag: key or key=value"
        value={value.tag}
        onChange={({ target }) => onChange({ tag: target.value })}
      />
    </search>
  )
}

function allOf(options: readonly ChoiceOption[]): Readonly<Record<string, string>> {
  return { '': 'All', ...Object.fromEntries(options.map(({ id, name }) => [id, name])) }
}
