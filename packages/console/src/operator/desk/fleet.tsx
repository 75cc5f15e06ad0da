/** The fleet: a rack for each SKU, a line for each host, a mark for each slot. */
import { counted } from '@bourse/text/formats/amounts.ts'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../../ui/page.tsx'
import styles from './desk.module.css'
import { isKept, type Rack, type RackHost, type SlotState } from './racks.rules.ts'

/** Hosts that are drawn: those that need somebody come before the others where there are more. */
const shownMax = 60

const words: Readonly<Record<SlotState, string>> = {
  running: 'running',
  sold: 'sold, not started',
  free: 'free',
  closed: 'closed',
  broken: 'broken promise',
}

/** The card. */
export function Fleet({ racks }: { racks: readonly Rack[] }) {
  const all = racks.flatMap(({ hosts }) => hosts)
  const first = [...all].sort((a, b) => Number(isKept(a)) - Number(isKept(b))).slice(0, shownMax)
  const shown = new Set(first.map(({ id }) => id))
  return (
    <section className={`card ${styles.fleet}`} aria-labelledby="fleet">
      <header className={styles.heading}>
        <h2 id="fleet">Fleet</h2>
        <ul className={styles.legend} aria-label="Slots">
          {Object.entries(words).map(([state, word]) => (
            <li key={state}>
              <i data-slot={state} /> {word}
            </li>
          ))}
        </ul>
      </header>
      {all.length === 0 ? (
        <Empty title="No host">
          <Link to="/operator" search={{ tab: 'hosts' }}>
            Enrol one to have something to sell.
          </Link>
        </Empty>
      ) : null}
      {racks.map((rack) => (
        <RackSection key={rack.sku} rack={rack} hosts={rack.hosts.filter(({ id }) => shown.has(id))} />
      ))}
      {all.length > shownMax ? (
        <p>
          <Link to="/operator" search={{ tab: 'hosts' }}>
            All {all.length} hosts
          </Link>
        </p>
      ) : null}
    </section>
  )
}

function RackSection({ rack: { name, slots, sold, running }, hosts }: { rack: Rack; hosts: readonly RackHost[] }) {
  if (hosts.length === 0) return null
  return (
    <section className={styles.rack} aria-label={name}>
      <h3>
        {name}{' '}
        <span className="quiet">
          {counted(slots, 'slot')}, {sold} sold, {running} running
        </span>
      </h3>
      <ul>
        {hosts.map((host) => (
          <HostLine key={host.id} host={host} />
        ))}
      </ul>
    </section>
  )
}

function HostLine({ host: { id, name, hardware, slots, word } }: { host: RackHost }) {
  return (
    <li className={styles.host}>
      <span>
        <Link to="/operator/hosts/$id" params={{ id }}>
          {name}
        </Link>
        <span className="quiet small">{hardware}</span>
      </span>
      <span className={styles.slots} role="img" aria-label={slotsText(slots)} title={slotsText(slots)}>
        {slots
          .map((state, index) => ({ state, place: `slot ${index + 1}` }))
          .map(({ state, place }) => (
            <i key={place} data-slot={state} />
          ))}
      </span>
      <span className={styles.word}>
        {word.tone === 'none' ? (
          <span className="quiet">{word.text}</span>
        ) : (
          <Badge word={word.text} tone={word.tone} />
        )}
      </span>
    </li>
  )
}

function slotsText(slots: readonly SlotState[]): string {
  const counts = Map.groupBy(slots, (state) => state)
  return [...counts].map(([state, own]) => `${own.length} ${words[state]}`).join(', ')
}
