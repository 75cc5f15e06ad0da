/** A day or a moment: typed, stepped by keys, or chosen from a month. It shows times as all pages do. */
import { localZone } from '@bourse/text/time/local-zone.ts'
import { type KeyboardEvent, lazy, Suspense, useId, useState } from 'react'
import { buttonClass } from './button.tsx'
import styles from './time-field.module.css'
import { readTimeField, steppedTime, type TimeKind, timeFieldText } from './time-field.rules.ts'

const MonthSheet = lazy(() => import('./month-sheet.tsx').then(({ MonthSheet: sheet }) => ({ default: sheet })))

type TimeFieldProps = {
  kind: TimeKind
  /** Unix seconds. */
  value: number | undefined
  /** Undefined where the field was emptied. */
  onChange: (at: number | undefined) => void
  /** The time of the server: what is typed is read against it. */
  now: number
  label?: string
  placeholder?: string
  /** What ties it to a label and a hint. */
  id?: string
  onBlur?: () => void
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

/** The field. What is typed counts as soon as it can be read, and is written as all times when one leaves it. */
export function TimeField({ kind, value, onChange, now, label, placeholder, onBlur, ...rest }: TimeFieldProps) {
  const [typed, setTyped] = useState<string>()
  const hint = useId()
  const zone = kind === 'day' ? 'UTC' : localZone()
  const context = { kind, now, zone, before: value }
  const read = typed === undefined || typed.trim() === '' ? undefined : readTimeField(typed, context)
  const problem = read && 'problem' in read ? read.problem : undefined
  const type = (text: string) => {
    setTyped(text)
    if (text.trim() === '') return onChange(undefined)
    const given = readTimeField(text, context)
    if ('at' in given) onChange(given.at)
  }
  const step = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && problem === undefined) setTyped(undefined)
    const next = steppedTime(value ?? now - (now % 60), event.key, kind)
    if (next === undefined) return
    event.preventDefault()
    setTyped(undefined)
    onChange(kind === 'day' ? next - (next % 86_400) : next)
  }
  return (
    <span className={styles.field}>
      <input
        {...rest}
        type="text"
        role="spinbutton"
        aria-label={label}
        aria-valuenow={value}
        aria-valuetext={value === undefined ? undefined : timeFieldText(value, kind)}
        aria-invalid={problem !== undefined || rest['aria-invalid'] ? true : undefined}
        aria-describedby={problem === undefined ? rest['aria-describedby'] : hint}
        placeholder={placeholder ?? (kind === 'day' ? 'Nov 28' : 'tomorrow 9am')}
        autoComplete="off"
        maxLength={60}
        value={typed ?? timeFieldText(value, kind)}
        onChange={({ target }) => type(target.value)}
        onKeyDown={step}
        onBlur={() => {
          if (problem === undefined) setTyped(undefined)
          onBlur?.()
        }}
      />
      <DayButton
        at={value ?? now}
        zone={zone}
        onChoose={(at) => {
          setTyped(undefined)
          onChange(at)
        }}
      />
      {problem === undefined ? null : (
        <span id={hint} className={styles.problem}>
          {problem}
        </span>
      )}
    </span>
  )
}

type DayButtonProps = { at: number; zone: string; onChoose: (at: number) => void }

/** Opens a month beside the field. */
function DayButton({ at, zone, onChoose }: DayButtonProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={buttonClass('plain')} aria-label="Choose a day" popoverTarget={id}>
        <svg width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
          <path d="M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 1.5v3M10.5 1.5v3" />
        </svg>
      </button>
      <div
        id={id}
        popover="auto"
        className={styles.sheet}
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen ? (
          <Suspense>
            <MonthSheet
              at={at}
              zone={zone}
              onChoose={(next) => {
                document.getElementById(id)?.hidePopover()
                onChoose(next)
              }}
            />
          </Suspense>
        ) : null}
      </div>
    </>
  )
}
