/** The bar that only a sandbox shows: its clock, worlds and faults, and what was done here as a test. */
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
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

/** The bar. Its colour is that of nothing else, so that nobody takes a sandbox for production. */
export function SandboxBar() {
  const now = useNow()
  const clock = useClock()
  const change = useAction((run: () => Promise<unknown>) => run(), { nouns: everything })
  const { frozen = false, rate = 1 } = clock.data ?? {}
  const move = (seconds: number) => change.run(() => client.clock.advance({ seconds }))
  return (
    <section className={styles.bar} aria-label="Sandbox">
      <b>Sandbox</b>
      <time dateTime={new Date(now * 1000).toISOString()}>{momentText(now)}</time>
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
      {Object.entries(steps).map(([label, seconds]) => (
        <Button key={label} onClick={() => move(seconds)} isBusy={change.isRunning}>
          {label}
        </Button>
      ))}
      <Button onClick={() => change.run(jump)} isBusy={change.isRunning}>
        To what is due next
      </Button>
      <Popover label="Worlds">
        <Worlds />
      </Popover>
      <Popover label="Faults">
        <Faults />
      </Popover>
      <CopyAsTest />
      <ErrorText error={change.error ?? clock.error} />
    </section>
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
