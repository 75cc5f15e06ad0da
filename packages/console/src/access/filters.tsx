/** Filters of lists by people, roles and workspaces. */
import { useWorkspaceChoices } from '../live/choices.ts'
import { useThings } from '../live/forms/things.tsx'
import { readFilter } from '../live/lists/filters.tsx'
import { Select } from '../ui/select.tsx'
import { useTokens, useUsers } from './principals.tsx'

type NamedPrincipal = { readonly id: string; readonly name: string }

/** By a person or a token. */
export const PrincipalFilter = readFilter('Who', () => {
  const [users, tokens] = [useUsers().data ?? [], useTokens().data ?? []]
  return optionsOf([...users, ...tokens])
})

/** By a role. */
export const RoleFilter = readFilter('Role', () => optionsOf(useThings('role')))

/** By a workspace, where there are several. */
export function WorkspaceFilter(props: { readonly value: string; readonly onChange: (id: string) => void }) {
  const { data = [] } = useWorkspaceChoices()
  if (data.length < 2 && props.value === '') return null
  return <Select label="Workspace" options={optionsOf(data)} {...props} />
}

function optionsOf(all: readonly NamedPrincipal[]): Readonly<Record<string, string>> {
  return { '': 'All', ...Object.fromEntries(all.map(({ id, name }) => [id, name])) }
}
