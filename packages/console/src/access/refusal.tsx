/** An error of an action; where a right is missing, which one it is and who can give it; why an admin has to stay. */
import { ApiError, ForbiddenError } from '@bourse/sdk'
import { client } from '../live/client.ts'
import { useRead } from '../live/queries.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { usePrincipalNames } from './principals.tsx'
import { missingRight, operations } from './rights.rules.ts'

/** The error. */
export function Refusal({ error }: { error: Error | null }) {
  const isForbidden = error instanceof ForbiddenError && error.codes.length === 0
  return (
    <>
      <ErrorText error={error} />
      {error instanceof ApiError && error.codes.includes('last_admin') ? (
        <p className="card">
          Without it nobody could give rights in this account any more. Give another person the role admin for the whole
          account, and a sign-in link; then try again.
        </p>
      ) : null}
      {isForbidden ? <WhoCanGive right={missingRight(error.message)} /> : null}
    </>
  )
}

/** The people who have the role of admins: whoever lists grants sees them. */
function WhoCanGive({ right }: { right: string | undefined }) {
  const admins = useRead(['grant', 'admins'], () => client.grants.list({ role: 'role_admin' }).all({ max: 100 }))
  const names = usePrincipalNames()
  const people = [
    ...new Set(admins.data?.filter((one) => one.principal_type === 'user').map((one) => one.principal_id)),
  ]
  const what = right === undefined ? undefined : operations[right]
  return (
    <div className="card">
      {right === undefined ? null : (
        <p>
          What is missing: the right <code>{right}</code>
          {what ? `, to ${what}` : ''}.
        </p>
      )}
      {people.length > 0 ? (
        <p>
          These admins can give it: <bdi>{people.map(names).join(', ')}</bdi>.
        </p>
      ) : (
        <p>An admin of the account can give it. You may not see who that is.</p>
      )}
      {admins.error instanceof ApiError ? <ErrorText error={admins.error} /> : null}
    </div>
  )
}
