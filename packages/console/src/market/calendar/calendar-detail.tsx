/** What a stretch of a lane has in it, who uses it, and what can be done with it. */
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Moment } from '../../ui/values.tsx'
import { type OpenTicket, TradeLink } from '../book/trade-link.tsx'
import styles from './calendar.module.css'
import type { Maintenance } from './calendar-sources.ts'
import { type Lane, segmentsOf, segmentText, ticketSearch, tradeOf } from './lanes.rules.ts'

type DetailProps = {
  lane: Lane | undefined
  at: number
  view: { from: number; to: number }
  now: number
  maintenance: readonly Maintenance[]
  /** Why the last drag led to no order. */
  refused: string | undefined
  onTrade: OpenTicket
}

const usersMax = 8

/** The card below the calendar. */
export function CalendarDetail({ lane, at, view, now, maintenance, refused, onTrade }: DetailProps) {
  const segment = lane && segmentsOf(lane, view.from, view.to).find(({ start, end }) => start <= at && at < end)
  return (
    <section className={`card ${styles.detail}`} aria-label="Details">
      {refused ? (
        <p role="status" className="warn">
          {refused}
        </p>
      ) : null}
      {lane && segment ? (
        <>
          <p>
            <b>
              <bdi>{lane.pool.name}</bdi> · {lane.sku.alias}
            </b>{' '}
            · <Moment at={segment.start} /> – <Moment at={segment.end} />: {segmentText(segment)}
          </p>
          <Users lane={lane} isUsed={segment.used > 0} />
          <Bars lane={lane} segment={segment} maintenance={maintenance} />
          <Act lane={lane} segment={segment} now={now} onTrade={onTrade} />
        </>
      ) : (
        <p className="quiet">
          Point at a lane to see who uses it. Drag over free nodes to sell them, or beyond the end to buy more; with
          keys, walk to a stretch and press Enter.
        </p>
      )}
    </section>
  )
}

function Users({ lane, isUsed }: { lane: Lane; isUsed: boolean }) {
  if (!isUsed) return null
  return (
    <p>
      Used by{' '}
      {lane.users.slice(0, usersMax).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 ? ', ' : ''}
          <Link to="/instances/$id" params={{ id }}>
            <bdi>{name}</bdi>
          </Link>
        </span>
      ))}
      {lane.users.length > usersMax ? ` and ${lane.users.length - usersMax} more` : ''}, as long as they run.
    </p>
  )
}

type BarsProps = { lane: Lane; segment: { start: number; end: number }; maintenance: readonly Maintenance[] }

function Bars({ lane, segment, maintenance }: BarsProps) {
  const touches = ({ start, end }: { start: number; end: number }) => start < segment.end && end > segment.start
  const texts = [
    ...lane.orders.filter(touches).map(({ text }) => text),
    ...lane.managed.filter(touches).map(({ text }) => text),
    ...maintenance
      .filter(({ sku, start_at, end_at }) => sku === lane.sku.id && touches({ start: start_at, end: end_at }))
      .map(({ title, maintenance_type }) => `maintenance: ${title} (${maintenance_type.replaceAll('_', ' ')})`),
  ]
  if (texts.length === 0) return null
  return (
    <ul>
      {[...new Set(texts)].map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

type ActProps = { lane: Lane; segment: { start: number; end: number }; now: number; onTrade: OpenTicket }

/** The link to the ticket for a whole stretch, where there is something to trade. */
export function Act({ lane, segment, now, onTrade }: ActProps) {
  const trade = tradeOf(lane, { begin: segment.start, end: segment.end }, now)
  if ('refused' in trade) return null
  const nodes = trade.nodes === 1 ? '1 node' : `${trade.nodes} nodes`
  return (
    <TradeLink draft={ticketSearch(lane, trade)} onTrade={onTrade} className={buttonClass()}>
      {trade.side === 'sell' ? `Sell ${nodes}` : `Buy ${nodes}`}
    </TradeLink>
  )
}
