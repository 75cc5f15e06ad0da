/** The filters above the list of instances. */

import type { ChoiceOption } from '../live/forms/choice.tsx'
import { allOr, Select } from '../ui/select.tsx'
import { TypedFilter } from '../ui/typed-filter.tsx'
import { usePools, useSkus, useWorkspaces } from './choices.ts'

const states = ['awaiting_allocation', 'running', 'failed', 'terminated']

/** No filter: everything is shown. */
export const noFilters = { state: '', pool: '', sku: '', workspace: '', tag: '', name: '' }

type FilterProps = { value: typeof noFilters; onChange: (change: Partial<typeof noFilters>) => void }

/** The filters, all of which the server applies. */
export function InstanceFilters({ value, onChange }: FilterProps) {
  const pools = usePools(['market', 'read_only']).options
  const skus = useSkus().options
  const workspaces = useWorkspaces()
  return (
    <search className="row no-print">
      <TypedFilter
        label="Search by name"
        placeholder="Name, or web-*"
        value={value.name}
        onChange={(name) => onChange({ name })}
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
      <TypedFilter
        label="Tag"
        placeholder="Tag: key or key=value"
        value={value.tag}
        onChange={(tag) => onChange({ tag })}
      />
    </search>
  )
}

function allOf(options: readonly ChoiceOption[]): Readonly<Record<string, string>> {
  return { '': 'All', ...Object.fromEntries(options.map(({ id, name }) => [id, name])) }
}
