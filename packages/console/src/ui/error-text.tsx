/** What went wrong, where, and what to do about it. */
import { ApiError, ForbiddenError, NetworkError, TimeoutError } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { type ComponentType, createContext, type ReactNode, Suspense, useContext } from 'react'
import styles from './error-text.module.css'
import { cut } from './table.rules.ts'

/** Tells who can give the right that a refusal misses. The frame gives it, because it needs to know about rights. */
export const RightsHelp = createContext<ComponentType<{ message: string }> | undefined>(undefined)

type ErrorProps = {
  error: Error | null | undefined
  /** The fields beside it, which say by themselves what is wrong with them. */
  fields?: readonly string[]
}

/**
 * An error of a request: its message, its fields and what to do. Its code, and the id that the operator finds it by,
 * are folded away.
 */
export function ErrorText({ error, fields = [] }: ErrorProps) {
  const Help = useContext(RightsHelp)
  if (!error) return null
  if (!(error instanceof ApiError)) {
    const isAway = error instanceof NetworkError || error instanceof TimeoutError
    return (
      <div className={styles.error} role="alert">
        <p>{isAway ? 'The server cannot be reached. Nothing you typed is lost; try again.' : error.message}</p>
      </div>
    )
  }
  const isAtField = ({ field }: { field?: string | null }) => fields.some((name) => isAbout(field, name))
  if (error.details.length > 0 && error.details.every(isAtField)) {
    return (
      <div className={styles.error} role="alert">
        <p>Correct what is marked above.</p>
        <ErrorOrigin error={error} />
      </div>
    )
  }
  const details = error.details.filter((detail) => detail.message !== error.message && !isAtField(detail))
  return (
    <div className={styles.error} role="alert">
      <p>{error.message}</p>
      {details.length === 0 ? null : (
        <ul>
          {details.map(({ field, code, message }) => (
            <li key={`${field} ${code} ${message}`}>
              {field ? <code>{field}</code> : null} {message}
            </li>
          ))}
        </ul>
      )}
      <p>
        {error.suggestion} <Remedy codes={error.codes} />
      </p>
      {Help && error instanceof ForbiddenError && error.codes.length === 0 ? (
        <Suspense>
          <Help message={error.message} />
        </Suspense>
      ) : null}
      <ErrorOrigin error={error} />
    </div>
  )
}

/** Where people do something about a refusal, by its code. */
const remedies: Readonly<Record<string, { readonly tab: string; readonly text: string }>> = {
  budget_exceeded: { tab: 'budgets', text: 'See the budgets' },
  payment_required: { tab: 'balance', text: 'See the balance' },
}

function Remedy({ codes }: { codes: readonly string[] }) {
  const [remedy] = codes.flatMap((code) => remedies[code] ?? [])
  return remedy ? (
    <Link to="/money" search={{ tab: remedy.tab }}>
      {remedy.text}
    </Link>
  ) : null
}

function ErrorOrigin({ error }: { error: ApiError }) {
  return (
    <details className="quiet small">
      <summary>Code and request</summary>
      {error.codes.join(', ') || error.type} · request <span className="mono">{error.requestId}</span>
    </details>
  )
}

/** Whether a message is about a field, or a part of it. */
export function isAbout(field: string | null | undefined, name: string): boolean {
  return field === name || (field?.startsWith(`${name}.`) ?? false)
}

const namedMax = 20

type FailedProps<T> = {
  failed: readonly { readonly item: T; readonly error: Error }[]
  nameOf: (item: T) => ReactNode
}

/** What failed of several things, and why: the first ones by name, and how many more. */
export function FailedList<T extends { readonly id: string }>({ failed, nameOf }: FailedProps<T>) {
  const { shown, more } = cut(failed, namedMax)
  return (
    <ul>
      {shown.map(({ item, error }) => (
        <li key={item.id}>
          {nameOf(item)}: {error.message}
        </li>
      ))}
      {more > 0 ? <li>and {more} more</li> : null}
    </ul>
  )
}
