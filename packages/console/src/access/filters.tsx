/** Filters of lists by people, roles and workspaces. */
import { useWorkspaceChoices } from '../live/choices.ts'
import { Select } from '../ui/select.tsx'
import { useRoles, useTokens, useUsers } from './principals.tsx'

type AccessFilterProps = { readonly value: string; readonly onChange: (id: string) => void }
type NamedPrincipal = { readonly id: string; readonly name: string }

/** By a person or a token. */
export function PrincipalFilter(props: AccessFilterProps) {
  const [users, tokens] = [useUsers().data ?? [], useTokens().data ?? []]
  return <Select label="Who" options={optionsOf([...users, ...tokens])} {...props} />
}

/** By a role. */
export function RoleFilter(props: AccessFilterProps) {
  return <Select label="Role" options={optionsOf(useRoles().data ?? [])} {...props} />
}

/** By a workspace, where there are several. */
export function WorkspaceFilter(props: AccessFilterProps) {
  const { data = [] } = useWorkspaceChoices()
  if (data.length < 2 && props.value === '') return null
  return <Select label="Workspace" options={optionsOf(data)} {...props} />
}

function optionsOf(all: readonly NamedPrincipal[]): Readonly<Record<string, string>> {
  return { '': 'All', ...Object.fromEntries(all.map(({ id, name }) => [id, name])) }
}
