/** People, tokens, roles and workspaces by their names, and choices among them. */
import { useWorkspaceChoices } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import { Field } from '../ui/field.tsx'

const most = { max: 1_000 }

/** The people of the account, where they may be listed. */
export function useUsers() {
  return useRead(['user', 'names'], () => client.users.list({ limit: 200 }).all(most))
}

/** The tokens of programs, where they may be listed. */
export function useTokens() {
  return useRead(['token', 'names'], () => client.tokens.list({ kind: 'service', limit: 200 }).all(most))
}

/** The roles of the account. */
export function useRoles() {
  return useRead(['role', 'names'], () => client.roles.list({ limit: 200 }).all(most))
}

/** The name of a person or a token by its id; the id while it is not known. */
export function usePrincipalNames(): (id: string) => string {
  const users = useUsers().data ?? []
  const tokens = useTokens().data ?? []
  const names = new Map<string, string>([...users, ...tokens].map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}

type ChoiceProps = { value: string; onChange: (id: string) => void; error: Error | null }

/** A choice among people and tokens. */
export function PrincipalField({ value, onChange, error }: ChoiceProps) {
  const users = useUsers()
  const tokens = useTokens()
  return (
    <Field label="Who" name="principal_id" error={error}>
      <select value={value} required onChange={({ target }) => onChange(target.value)}>
        <option value="">Choose</option>
        <optgroup label="People">
          {users.data?.map(({ id, name, email }) => (
            <option key={id} value={id}>
              {email ? `${name} (${email})` : name}
            </option>
          ))}
        </optgroup>
        <optgroup label="Tokens">
          {tokens.data?.map(({ id, name, suffix }) => (
            <option key={id} value={id}>
              {name} …{suffix}
            </option>
          ))}
        </optgroup>
      </select>
    </Field>
  )
}

/** A choice among roles. */
export function RoleField({ value, onChange, error, name = 'role' }: ChoiceProps & { name?: string }) {
  const { data = [] } = useRoles()
  return (
    <Field label="Role" name={name} error={error}>
      <select value={value} required onChange={({ target }) => onChange(target.value)}>
        {value === '' ? <option value="">Choose</option> : null}
        {data.map((role) => (
          <option key={role.id} value={role.id}>
            {role.name}
            {role.policy.description ? ` – ${role.policy.description}` : ''}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** A choice among workspaces. `all` is what no workspace means. */
export function WorkspaceField({ value, onChange, error, all }: ChoiceProps & { all: string }) {
  const { data = [] } = useWorkspaceChoices()
  return (
    <Field label="Workspace" name="workspace" error={error}>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{all}</option>
        {data.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** The kind of a principal, by its id. */
export function kindOf(id: string): 'user' | 'token' {
  return id.startsWith('usr_') ? 'user' : 'token'
}
