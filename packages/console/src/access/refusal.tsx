/** An error of an action on rights; where an admin has to stay, why. */
import { ApiError } from '@bourse/sdk'
import { ErrorText } from '../ui/error-text.tsx'

/** The error. */
export function Refusal({ error }: { error: Error | null }) {
  return (
    <>
      <ErrorText error={error} />
      {error instanceof ApiError && error.codes.includes('last_admin') ? (
        <p className="card">
          Without it nobody could give rights in this account any more. Give another person the role admin for the whole
          account, and a sign-in link; then try again.
        </p>
      ) : null}
    </>
  )
}
