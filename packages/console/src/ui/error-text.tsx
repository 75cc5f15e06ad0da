/** What went wrong, where, and what to do about it. */
import { ApiError, ForbiddenError, NetworkError, TimeoutError } from '@bourse/sdk'
import styles from './error-text.module.css'

/** An error of a request: its message, its fields, what to do, and the id that the operator finds it by. */
export function ErrorText({ error }: { error: Error | null | undefined }) {
  if (!error) return null
  if (!(error instanceof ApiError)) {
    const isAway = error instanceof NetworkError || error instanceof TimeoutError
    return (
      <div className={styles.error} role="alert">
        <p>{isAway ? 'The server cannot be reached. Nothing you typed is lost; try again.' : error.message}</p>
      </div>
    )
  }
  const details = error.details.filter(({ message }) => message !== error.message)
  return (
    <div className={styles.error} role="alert">
      <p>{error.message}</p>
      {details.length === 0 ? null : (
        <ul>
          {details.map(({ field, code, message }) => (
            <li key={`${field} ${code} ${message}`}>
              {field ? <code>{field}</code> : null} {message} <span className="quiet">({code})</span>
            </li>
          ))}
        </ul>
      )}
      <p>{error.suggestion}</p>
      {error instanceof ForbiddenError && error.codes.length === 0 ? (
        <p>
          Whoever may create grants in this account can give you this right: see <a href="/console/access">Access</a>.
        </p>
      ) : null}
      <p className="quiet small">
        {error.codes.join(', ') || error.type} · request <span className="mono">{error.requestId}</span>
      </p>
    </div>
  )
}
