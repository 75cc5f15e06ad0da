/** Money, moments, durations, sizes and ids as people read them; the exact value is in the title. */

import { durationText, exactMoney, moneyText, roughUntilText, sizeText, untilText } from '@bourse/text/formats/short.ts'
import { useState } from 'react'
import styles from './values.module.css'
import { momentText } from './values.rules.ts'

/** An amount in dollars, as the API writes it. */
export function Money({ dollars, sign = false }: { dollars: string | null | undefined; sign?: boolean }) {
  if (dollars === null || dollars === undefined) return <span className="quiet">–</span>
  return <span title={exactMoney(dollars)}>{moneyText(dollars, { sign })}</span>
}

/** A moment in Unix seconds: local time, with UTC in the title. */
export function Moment({ at }: { at: number | null | undefined }) {
  if (at === null || at === undefined) return <span className="quiet">–</span>
  const date = new Date(at * 1000)
  return (
    <time dateTime={date.toISOString()} title={`${date.toISOString().replace('.000Z', 'Z')} (${at})`}>
      {momentText(at)}
    </time>
  )
}

/** How far a moment is from now, which is drawn anew by its parent. `isRough`: in the largest unit alone. */
export function Age({ at, now, isRough = false }: { at: number; now: number; isRough?: boolean }) {
  const date = new Date(at * 1000)
  return (
    <time dateTime={date.toISOString()} title={`${momentText(at)} · ${date.toISOString().replace('.000Z', 'Z')}`}>
      {isRough ? roughUntilText(at, now) : untilText(at, now)}
    </time>
  )
}

/** Seconds as `1 h 30 min`. */
export function Duration({ seconds }: { seconds: number }) {
  return <span title={`${seconds} s`}>{durationText(seconds)}</span>
}

/** Bytes as `1.5 GiB`. */
export function Size({ bytes }: { bytes: number }) {
  return <span title={`${bytes} bytes`}>{sizeText(bytes)}</span>
}

type CopyableProps = {
  text: string
  label?: string
  /** Whether it goes on in further lines. By default it is cut where there is no room: an id is not broken. */
  isLong?: boolean
}

/** An id or another text with a button that copies it. */
export function Copyable({ text, label = text, isLong = false }: CopyableProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <span className={isLong ? `${styles.copyable} ${styles.long}` : styles.copyable}>
      <span className="mono" title={text}>
        {label}
      </span>
      <button type="button" className={styles.copy} onClick={copy} aria-label={`Copy ${label}`}>
        {isCopied ? '✓' : <CopyIcon />}
      </button>
    </span>
  )
}

function CopyIcon() {
  return (
    <svg width="13" height="13" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
      <rect x="5.5" y="5.5" width="9" height="9" rx="1.5" />
      <path d="M10.5 5.5v-3a1 1 0 0 0-1-1h-7a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h3" />
    </svg>
  )
}
