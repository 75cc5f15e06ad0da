/** From where a token works, and on what. */
import { Field } from '../ui/field.tsx'
import type { TokenLimits } from './token-limits.rules.ts'

type LimitProps = { limits: TokenLimits; onChange: (limits: TokenLimits) => void; error: Error | null }

/** Two fields, both of which may stay empty. */
export function LimitFields({ limits, onChange, error }: LimitProps) {
  return (
    <>
      <Field
        label="Only from networks"
        name="allowed_cidrs"
        error={error}
        hint="For example 10.0.0.0/8; empty: from everywhere"
      >
        <input value={limits.networks} onChange={({ target }) => onChange({ ...limits, networks: target.value })} />
      </Field>
      <Field
        label="Only on resources"
        name="resources"
        error={error}
        hint="Ids, or paths such as svc:instance:acme:default:web-*; empty: on everything that the role allows"
      >
        <input value={limits.resources} onChange={({ target }) => onChange({ ...limits, resources: target.value })} />
      </Field>
    </>
  )
}
