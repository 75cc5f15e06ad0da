/** What only a sandbox has: its clock, worlds and faults, and what was done here as a test. */
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { type ComponentType, useState } from 'react'
import { client } from '../live/client.ts'
import { useClock, useNow } from '../live/clock.ts'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Popover } from '../ui/popover.tsx'
import { say } from '../ui/toasts.tsx'
import { momentText } from '../ui/values.rules.ts'
import { CopyAsTest } from './copy-as-test.tsx'
import { Faults } from './faults.tsx'
import styles from './sandbox-bar.module.css'
import { Worlds } from './worlds.tsx'

/** Steps of the clock, in seconds. */
const steps: Readonly<Record<string, number>> = {
  '+1 min': 60,
  '+10 min': 600,
  '+1 h': hourSeconds,
  '+1 d': daySeconds,
}
const rates: readonly number[] = [1, 60, 3_600]

/** The pill in the header, and the panel that it opens. */
export function SandboxBar() {
  const now = useNow()
  const clock = useClock()
  const { frozen = false, rate = 1 } = clock.data ?? {}
  const pace = frozen ? 'stopped' : rate === 1 ? '' : `×${rate}`
  const label = (
    <>
      <span>
        Sandbox<span className={styles.far}> · {momentText(now)}</span>
      </span>
      {pace ? <span>{pace}</span> : null}
    </>
  )
  return (
    <section className={styles.place} aria-label="Sandbox">
      <Popover label={label}>
        <Controls now={now} frozen={frozen} rate={rate} />
      </Popover>
    </section>
  )
}

type ControlsProps = { now: number; frozen: boolean; rate: number }

const parts: Readonly<Record<string, ComponentType>> = { Worlds, Faults }

function Controls({ now, frozen, rate }: ControlsProps) {
  const [part, setPart] = useState('')
  const Part = parts[part]
  const change = useAction((run: () => Promise<unknown>) => run(), { nouns: everything })
  const advance = (body: Parameters<typeof client.clock.advance>[0]) => change.run(() => client.clock.advance(body))
  return (
    <div className={styles.panel}>
      <div className="row">
        <Button onClick={() => change.run(() => (frozen ? client.clock.resume() : client.clock.freeze()))}>
          {frozen ? 'Let the clock run' : 'Freeze the clock'}
        </Button>
        <select
          aria-label="Speed of the clock"
          value={String(rate)}
          onChange={({ target }) => change.run(() => client.clock.setRate({ rate: Number(target.value) }))}
        >
          {[...new Set([...rates, rate])].map((one) => (
            <option key={one} value={String(one)}>
              ×{one}
            </option>
          ))}
        </select>
        <Button onClick={() => change.run(jump)} isBusy={change.isRunning}>
          To what is due next
        </Button>
      </div>
      <Scrubber now={now} onMove={(to) => advance({ to })} />
      <div className="row">
        {Object.entries(steps).map(([label, seconds]) => (
          <Button key={label} onClick={() => advance({ seconds })} isBusy={change.isRunning}>
            {label}
          </Button>
        ))}
      </div>
      <div className="row">
        {Object.keys(parts).map((title) => (
          <Button key={title} aria-expanded={part === title} onClick={() => setPart(part === title ? '' : title)}>
            {title}
          </Button>
        ))}
        <CopyAsTest />
      </div>
      {Part ? <Part /> : null}
      <ErrorText error={change.error} />
    </div>
  )
}

/** Hours that the scrubber reaches ahead, and after how many a session of a browser has ended. */
const reachHours = 48
const sessionHours = 12

/** Moves the clock by two days at the most: where it is let go, or with Enter where keys have moved it. */
function Scrubber({ now, onMove }: { now: number; onMove: (to: number) => void }) {
  const [hours, setHours] = useState(0)
  // Whole hours: what begins and ends in the market does so then, most of the time.
  const to = (Math.floor(now / hourSeconds) + hours) * hourSeconds
  const move = () => {
    if (hours > 0) onMove(to)
    setHours(0)
  }
  return (
    <label className={styles.scrubber}>
      <span>{hours === 0 ? momentText(now) : `To ${momentText(to)}: let go, or press Enter`}</span>
      <input
        type="range"
        aria-label="Move the clock ahead"
        aria-valuetext={momentText(hours === 0 ? now : to)}
        min={0}
        max={reachHours}
        value={hours}
        onChange={({ target }) => setHours(Number(target.value))}
        onPointerUp={move}
        onKeyDown={({ key }) => {
          if (key === 'Enter') move()
        }}
      />
      {hours >= sessionHours ? (
        <span className="quiet small">By then this session has ended: sign in again.</span>
      ) : null}
    </label>
  )
}

/** Moves the clock to what is due next, as the server knows it now. */
async function jump(): Promise<void> {
  const { now, next_due_at } = await client.clock.get()
  if (next_due_at === null) say('Nothing is due.')
  else if (next_due_at > now) await client.clock.advance({ to: next_due_at })
}

/** A moved clock may change anything. */
const everything: readonly Noun[] = [
  'clock',
  'instance',
  'attention',
  'order',
  'pool',
  'balance',
  'usage',
  'orderbook',
  'deployment',
]
