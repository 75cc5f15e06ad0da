/** Fields of forms, with their label, hint and error. */
import { ApiError } from '@bourse/sdk'
import { cloneElement, type ReactElement, type ReactNode, useId } from 'react'
import { isAbout } from './error-text.tsx'
import styles from './field.module.css'

type FieldProps = {
  label: string
  hint?: ReactNode
  /** The name of the field in requests, to show the server's message about it here. */
  name?: string
  error?: Error | null
  /** What is wrong with the value, where the page knows it by itself. */
  wrong?: string | undefined
  /** Whether it is a box to tick, which stands before its label. */
  isBox?: boolean
  /** Called when the input has been left. */
  onLeave?: () => void
  /** One input, select or textarea. */
  children: ReactElement<{ id?: string; onBlur?: () => void; 'aria-describedby'?: string; 'aria-invalid'?: boolean }>
}

/** A labelled input. */
export function Field({ label, hint, name, error, wrong, isBox = false, onLeave, children }: FieldProps) {
  const id = useId()
  const message = wrong ?? (name === undefined ? undefined : messageAbout(error, name))
  const described = hint || message ? `${id}-hint` : undefined
  return (
    <div className={isBox ? `${styles.field} ${styles.box}` : styles.field}>
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        ...(onLeave ? { onBlur: onLeave } : {}),
        ...(described ? { 'aria-describedby': described } : {}),
        ...(message ? { 'aria-invalid': true } : {}),
      })}
      {described ? (
        <div id={described} className={message ? styles.wrong : styles.hint}>
          {message ?? hint}
        </div>
      ) : null}
    </div>
  )
}

/** What the server said about a field, if it did. */
export function messageAbout(error: Error | null | undefined, name: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return error.details.find(({ field }) => isAbout(field, name))?.message
}
