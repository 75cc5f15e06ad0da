/** The state of a resource, as its word in a colour. */
import { useState } from 'react'
import styles from './badge.module.css'

type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'none'

const tones: Readonly<Record<string, Tone>> = {
  running: 'good',
  active: 'good',
  online: 'good',
  completed: 'good',
  filled: 'good',
  enabled: 'good',
  delivered: 'good',
  succeeded: 'good',
  open: 'busy',
  awaiting_allocation: 'busy',
  uploading: 'busy',
  verifying: 'busy',
  pending: 'busy',
  resting: 'busy',
  draining: 'warn',
  cordoned: 'warn',
  paused: 'warn',
  deprecated: 'warn',
  frozen: 'warn',
  failing: 'warn',
  failed: 'bad',
  lost: 'bad',
  unhealthy: 'bad',
  disabled: 'bad',
  revoked: 'bad',
  rejected: 'bad',
}

/** A state. Words that this console does not know are shown without a colour. One that changes lights up. */
export function Badge({ word, tone = tones[word] ?? 'none' }: { word: string; tone?: Tone }) {
  const [first] = useState(word)
  const [hasChanged, setChanged] = useState(false)
  if (word !== first && !hasChanged) setChanged(true)
  const classes = [styles.badge, styles[tone], hasChanged ? styles.changed : '']
  return (
    // The key begins the movement anew with each state.
    <span key={word} className={classes.join(' ')}>
      {word.replaceAll('_', ' ')}
    </span>
  )
}
