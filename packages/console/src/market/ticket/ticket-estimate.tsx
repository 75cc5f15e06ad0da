/** What the order of the ticket would do now. */

import type { Budget, EstimatedOffer, NearestWindow, Order, OrderEstimate, Sku } from '@bourse/sdk'
import { nodeHoursOf } from '@bourse/text/formats/amounts.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../../live/client.ts'
import { useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Facts } from '../../ui/page.tsx'
import { windowText } from '../../ui/values.rules.ts'
import { Moment, Money } from '../../ui/values.tsx'
import { partsOf, priceText } from '../board/board.rules.ts'
import { budgetsAfter, lackOf, restText, tradedLevels, unavailableText } from './estimate.rules.ts'
import styles from './ticket.module.css'
import type { Ticket } from './ticket.rules.ts'
import type { FilledTicket } from './use-filled-ticket.ts'
import type { Ordering } from './use-ordering.ts'

type TicketEstimateProps = { filled: FilledTicket; ordering: Ordering }

/** The figures, or why there are none. */
export function TicketEstimate({ filled, ordering: { estimate, refused, isOld } }: TicketEstimateProps) {
  const { ticket, change, pool, sku, amended } = filled
  return (
    <section className="card" aria-label="Estimate" aria-busy={isOld}>
      <h2>What it does now {isOld && estimate ? <span className="quiet small">updating…</span> : null}</h2>
      {refused ? <ErrorText error={refused} /> : null}
      {!estimate && !refused ? <p className="quiet">Fill the ticket in; the estimate follows as you type.</p> : null}
      {estimate?.type === 'unavailable' ? <Unavailable estimate={estimate} change={change} ticket={ticket} /> : null}
      {estimate?.type === 'quoted' ? (
        <Quoted estimate={estimate} workspace={pool?.workspace.id} sku={sku} amended={amended} />
      ) : null}
      {estimate?.notices.map(({ title, start_at, end_at, description }) => (
        <p key={`${title} ${start_at}`} className="warn">
          <b>{title}</b>, <Moment at={start_at} /> to <Moment at={end_at} />. {description}
        </p>
      ))}
    </section>
  )
}

type QuotedProps = {
  estimate: OrderEstimate
  workspace: string | undefined
  sku: Sku | undefined
  amended: Order | undefined
}

function Quoted({ estimate, workspace, sku, amended }: QuotedProps) {
  const isBuy = estimate.post_order_body?.side === 'buy'
  const { total_dollars, traded_node_minutes = 0, refusal } = estimate
  const lacks = lackOf(estimate, amended)
  return (
    <>
      {lacks === undefined ? null : (
        <p className="bad" role="alert">
          You lack <Money dollars={lacks} />. <Link to="/money">Money</Link>
        </p>
      )}
      {refusal && !(lacks && refusal.code === 'payment_required') ? (
        <p className="bad" role="alert">
          {refusal.message}
        </p>
      ) : null}
      <Levels estimate={estimate} sku={sku} />
      <Facts
        facts={[
          [
            isBuy ? 'Costs now' : 'Brings now',
            <span key="now">
              <Money dollars={total_dollars} /> <span className="quiet small">{nodeHoursOf(traded_node_minutes)}</span>
            </span>,
          ],
          ['Worst case', <WorstCase key="worst" estimate={estimate} />],
          ...(isBuy ? [] : [['Fee', <Fee key="fee" estimate={estimate} />] as const]),
          ...(lacks === undefined && !refusal
            ? ([
                ['Balance after', <Money key="after" dollars={estimate.available_after_dollars} />],
                ['Rests', restText(estimate)],
              ] as const)
            : []),
        ]}
      />
      {isBuy ? <Budgets estimate={estimate} workspace={workspace} /> : null}
      <Offers offers={estimate.offers ?? []} count={estimate.offer_count ?? 0} />
    </>
  )
}

/** The prices that it trades at as parts of one bar, and their average. */
function Levels({ estimate, sku }: Pick<QuotedProps, 'estimate' | 'sku'>) {
  const levels = tradedLevels(estimate)
  const [first] = levels
  const last = levels.at(-1)
  const average = estimate.average_price_dollars_per_node_hour
  if (!first || !last || !average) return null
  const parts = sku ? partsOf(sku, 'gpu') : 1
  return (
    <div className={styles.levels} data-side={estimate.post_order_body?.side}>
      <div className={styles.bar} aria-hidden="true">
        {levels.map(({ price, share }, index) => (
          <span key={price} style={{ flexGrow: share, opacity: 1 - 0.65 * (index / Math.max(1, levels.length)) }} />
        ))}
      </div>
      {levels.length > 1 ? (
        <div className={styles.ends}>
          <span>
            {first.text} at <Money dollars={first.price} />
          </span>
          <span>
            {levels.length > 2 ? '… ' : ''}
            {last.text} at <Money dollars={last.price} />
          </span>
        </div>
      ) : null}
      <p>
        <Money dollars={average} /> a node-hour{levels.length > 1 ? ' on average' : ''}
        {parts > 1 ? `, ${priceText(average, parts)}/GPU-h` : ''}.
      </p>
    </div>
  )
}

/** The most that an order can cost, with what it means. */
export function WorstCase({ estimate }: { estimate: OrderEstimate }): ReactNode {
  if (estimate.post_order_body?.side !== 'buy') return <>Nothing is paid; the nodes are promised until they are sold.</>
  return (
    <>
      <Money dollars={estimate.worst_case_dollars} />{' '}
      <span className="quiet small">held while the order is open; it cannot cost more</span>
    </>
  )
}

function Fee({ estimate: { fee, post_order_body } }: { estimate: OrderEstimate }): ReactNode {
  if (!fee || post_order_body?.side === 'buy') return <span className="quiet">None: the seller pays it.</span>
  return (
    <>
      <Money dollars={fee.total_dollars} />{' '}
      <span className="quiet small">
        {fee.percentage_bps / 100} % of the proceeds
        {Number(fee.flat_dollars_per_node_hour) === 0 ? null : ` and $${fee.flat_dollars_per_node_hour} a node-hour`}
      </span>
    </>
  )
}

function Budgets({ estimate, workspace }: { estimate: OrderEstimate; workspace: string | undefined }) {
  const { data } = useRead<readonly Budget[]>(
    ['budget', 'ticket'],
    async (signal) => (await client.budgets.list({ limit: 100 }, { signal })).data,
    { every: 30_000 },
  )
  const budgets = budgetsAfter(data ?? [], estimate, workspace)
  if (budgets.length === 0) return null
  return (
    <>
      <h3>Budget after</h3>
      <ul className={styles.budgets}>
        {budgets.map(({ name, hard_stop, left_dollars, isExceeded }) => (
          <li key={name} className={isExceeded ? 'bad' : undefined}>
            {name}: <Money dollars={left_dollars} /> left{isExceeded && hard_stop ? '; it refuses the order' : ''}
          </li>
        ))}
      </ul>
    </>
  )
}

function Offers({ offers, count }: { offers: readonly EstimatedOffer[]; count: number }) {
  if (offers.length === 0) return null
  return (
    <details>
      <summary>
        {count} {count === 1 ? 'price level' : 'price levels'}
      </summary>
      <table className={styles.offers}>
        <thead>
          <tr>
            <th scope="col">Price</th>
            <th scope="col">Node-hours</th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {offers.map(({ price_dollars_per_node_hour: price, node_minutes, total_dollars }) => (
            <tr key={price}>
              <td>
                <Money dollars={price} />
              </td>
              <td>{Math.round((node_minutes / 60) * 100) / 100}</td>
              <td>
                <Money dollars={total_dollars} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

type UnavailableProps = { estimate: OrderEstimate; ticket: Ticket; change: FilledTicket['change'] }

/** Why there is nothing, with what there is instead. */
function Unavailable({ estimate, ticket, change }: UnavailableProps) {
  const { free_node_count: free = 0, nearest_windows: windows = [] } = estimate
  return (
    <div role="status">
      <p>{unavailableText(estimate, ticket)}</p>
      <div className="row">
        {free > 0 && free < Number(ticket.nodes) ? (
          <button type="button" className={styles.take} onClick={() => change({ nodes: String(free) })}>
            Take {free} {free === 1 ? 'node' : 'nodes'}
          </button>
        ) : null}
        {windows.map((window) => (
          <TakeWindow key={window.start_at} window={window} change={change} />
        ))}
      </div>
      <p className="quiet small">Or give a limit price and let the order stand until somebody takes the other side.</p>
    </div>
  )
}

function TakeWindow({
  window: { start_at, end_at },
  change,
}: {
  window: NearestWindow
  change: FilledTicket['change']
}) {
  return (
    <button
      type="button"
      className={styles.take}
      onClick={() => change({ start: String(start_at), end: String(end_at) })}
    >
      {windowText(start_at, end_at)}
    </button>
  )
}
