/** Which right a refusal misses, and who can give it. */
import { client } from '../live/client.ts'
import { useNames } from '../live/names/names.ts'
import { useRead } from '../live/queries.ts'
import { missingRight, operations } from './rights.rules.ts'

/** The admins of the account: whoever lists grants sees them. `message` is that of the refusal. */
export function WhoCanGive({ message }: { message: string }) {
  const right = missingRight(message)
  const admins = useRead(['grant', 'admins'], () =>
    client.grants.list({ role: 'role_admin', limit: 200 }).all({ max: 100 }),
  )
  const people = [
    ...new Set(admins.data?.filter((one) => one.principal_type === 'user').map((one) => one.principal_id)),
  ]
  const nameOf = useNames(people)
  const what = right === undefined ? undefined : operations[right]
  return (
    <div className="card">
      {right === undefined ? null : (
        <p>
          What is missing: the right <code>{right}</code>
          {what ? `, to ${what}` : ''}.
        </p>
      )}
      {admins.isPending ? null : people.length > 0 ? (
        <p>
          These admins can give it: <bdi>{people.map(nameOf).join(', ')}</bdi>.
        </p>
      ) : (
        <p>An admin of the account can give it. You may not see who that is.</p>
      )}
    </div>
  )
}
