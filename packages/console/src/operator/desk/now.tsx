/** What needs somebody, and what operators did lately. */
import type { AuditEntry } from '@bourse/sdk'
import { counted } from '@bourse/text/formats/amounts.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAll } from '../../live/all.ts'
import { client } from '../../live/client.ts'
import { useNow } from '../../live/clock.ts'
import { LiveAge } from '../../live/lists/formats.tsx'
import { Actor, Thing } from '../../live/names/named.tsx'
import { useRead } from '../../live/queries.ts'
import { Money } from '../../ui/values.tsx'
import { whoText } from '../credits.rules.ts'
import { auditsOf } from '../metrics.rules.ts'
import { useFigures } from '../use-figures.ts'
import styles from './desk.module.css'
import { deskPace } from './desk-reads.ts'
import { doneText, mainOf } from './done.rules.ts'
import { isKept, type Rack } from './racks.rules.ts'

/** Lines of each kind. */
const shownMax = 6

type DeskLine = {
  readonly key: string
  readonly tone: 'bad' | 'warn' | 'none'
  readonly text: ReactNode
  readonly at?: number
}

/** The card. */
export function Now({ racks }: { racks: readonly Rack[] | undefined }) {
  const alarms = [...useAuditLines(), ...hostLines(racks ?? []), ...useCreditLines()]
  const lately = useLatelyLines()
  return (
    <section className="card" aria-labelledby="now">
      <h2 id="now">Now</h2>
      {alarms.length === 0 ? <p className="quiet">Nothing needs somebody.</p> : <Lines lines={alarms} />}
      {lately.length === 0 ? null : (
        <>
          <h3>Done by operators</h3>
          <Lines lines={lately} />
        </>
      )}
    </section>
  )
}

function Lines({ lines }: { lines: readonly DeskLine[] }) {
  return (
    <ul className={styles.lines}>
      {lines.map(({ key, tone, text, at }) => (
        <li key={key} data-tone={tone}>
          <span>{text}</span>
          {at === undefined ? null : (
            <span className="quiet">
              <LiveAge at={at} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function hostLines(racks: readonly Rack[]): readonly DeskLine[] {
  const hosts = racks.flatMap((rack) => rack.hosts).filter((host) => !isKept(host))
  const lines = hosts
    .toSorted((a, b) => Number(b.word.tone === 'bad') - Number(a.word.tone === 'bad'))
    .slice(0, shownMax)
    .map(
      ({ id, name, word: { tone, text } }): DeskLine => ({
        key: id,
        tone,
        text: (
          <>
            <Link to="/operator/hosts/$id" params={{ id }}>
              {name}
            </Link>
            : {text}
          </>
        ),
      }),
    )
  const more = hosts.length - lines.length
  return more > 0 ? [...lines, { key: 'more', tone: 'warn', text: `and ${counted(more, 'more host')}` }] : lines
}

function useCreditLines(): readonly DeskLine[] {
  const { data = [] } = useAll('list_pending_credits', { state: 'pending' }, deskPace)
  return data.slice(0, shownMax).map(
    ({ id, account, amount_dollars, requested_by, requested_at }): DeskLine => ({
      key: id,
      tone: 'warn',
      at: requested_at,
      text: (
        <>
          <Link to="/operator" search={{ tab: 'credits', credit: id }}>
            <Money dollars={amount_dollars} /> for <bdi>{account}</bdi>
          </Link>{' '}
          asked by {whoText(requested_by)}, waits for a second operator
        </>
      ),
    }),
  )
}

function useAuditLines(): readonly DeskLine[] {
  const { data } = useFigures()
  if (!data) return []
  return auditsOf(data.text).violations.map(
    ({ audit, rows }): DeskLine => ({
      key: audit,
      tone: 'bad',
      text: (
        <>
          <Link to="/events" search={{ action: 'audit.violated' }}>
            {audit}
          </Link>{' '}
          is violated by {counted(rows, 'row')}
        </>
      ),
    }),
  )
}

/** Who did what to which thing; the trail has all of them. Nobody does something to themselves. */
function Done({ actor, operation, targets }: Pick<AuditEntry, 'actor' | 'operation' | 'targets'>) {
  const others = targets.filter(({ id }) => !('id' in actor) || id !== actor.id)
  const thing = mainOf(operation, others)
  return (
    <>
      <Actor {...actor} /> {doneText(operation, thing?.type)} {thing ? <Thing {...thing} isKindSaid /> : null}
    </>
  )
}

/** The newest entries of the trail of the platform's own account, of the last day. */
function useLatelyLines(): readonly DeskLine[] {
  const hour = useNow(3_600)
  const { data } = useRead(
    ['audit_entry', 'desk', hour],
    () => client.auditEntries.list({ outcome: 'done', from: hour - daySeconds, limit: shownMax }),
    { every: 30_000 },
  )
  return (data?.data ?? []).map(
    ({ id, actor, operation, targets, occurred_at }): DeskLine => ({
      key: id,
      tone: 'none',
      at: occurred_at,
      text: <Done actor={actor} operation={operation} targets={targets} />,
    }),
  )
}
