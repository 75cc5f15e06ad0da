/** People and tokens by their names, and a choice among people and tokens. */
import { useAll } from '../live/all.ts'
import type { InputProps } from '../live/forms/fields.tsx'

/** The people of the account, where they may be listed. */
export function useUsers() {
  return useAll('list_users', {})
}

/** The tokens of programs, where they may be listed. */
export function useTokens() {
  return useAll('list_tokens', { kind: 'service' })
}

/** A choice among people and tokens. */
export function PrincipalInput({ value, onChange, ...rest }: InputProps) {
  const users = useUsers()
  const tokens = useTokens()
  return (
    <select {...rest} value={value} required onChange={({ target }) => onChange(target.value)}>
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
  )
}

/** The kind of a principal, by its id. */
export function kindOf(id: string): 'user' | 'token' {
  return id.startsWith('usr_') ? 'user' : 'token'
}
