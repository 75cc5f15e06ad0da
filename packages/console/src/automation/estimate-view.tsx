/** What an automation would do next, why, and what it can cost. */
import type { AutomationEstimate, EstimatedOrders } from '@bourse/sdk'
import { nodeHoursOf } from '@bourse/text/formats/amounts.ts'
import type { ReactNode } from 'react'
import { Loaded, type LoadedValue } from '../ui/loaded.tsx'
import { Facts } from '../ui/page.tsx'
import { Duration, Money } from '../ui/values.tsx'

/** An estimate that follows what is typed. */
export type LiveEstimate = LoadedValue<AutomationEstimate> & { readonly isOld: boolean }

/** An estimate in words and figures. While another one is read, the last one is shown, a little paler. */
export function EstimateView({ data, error, isOld }: LiveEstimate) {
  // The last one says nothing about what was refused.
  const current = { data: error ? undefined : data, error }
  return <Loaded of={current}>{(estimate) => <Estimate estimate={estimate} isOld={isOld} />}</Loaded>
}

function Estimate({ estimate, isOld }: { estimate: AutomationEstimate; isOld: boolean }) {
  const { buy, sell, reason, refusal, available_dollars, available_after_dollars } = estimate
  // What never buys has no costs to show.
  const isFree = reason?.code === 'never_buys'
  const costs: (readonly [string, ReactNode])[] = [
    ['Looks ahead', <Duration key="ahead" seconds={estimate.end_at - estimate.start_at} />],
    ['Keeps', estimate.target_node_count === 1 ? '1 node' : `${estimate.target_node_count} nodes`],
    ['At most an hour', <Money key="hour" dollars={estimate.worst_case_dollars_per_hour} />],
    ['At most a day', <Money key="day" dollars={estimate.worst_case_dollars_per_day} />],
    ['At most for the window', <Money key="window" dollars={estimate.worst_case_dollars_of_window} />],
  ]
  if (available_dollars !== null && available_after_dollars !== null) {
    costs.push(['Available now', <Money key="available" dollars={available_dollars} />])
    costs.push(['Available after', <Money key="after" dollars={available_after_dollars} />])
  }
  return (
    <div aria-busy={isOld} className="stack">
      <div>
        {buy.order_count > 0 ? <Orders verb="buy" orders={buy} /> : null}
        {sell.order_count > 0 ? <Orders verb="sell" orders={sell} /> : null}
        {reason ? (
          <p>
            {buy.order_count + sell.order_count === 0 ? 'It would trade nothing now. ' : 'Nothing trades at once. '}
            <span title={reason.code}>{reason.message}</span>
          </p>
        ) : null}
        {refusal ? (
          <p className="bad">
            Its orders would be refused now: <span title={refusal.code}>{refusal.message}</span>
          </p>
        ) : null}
      </div>
      {isFree ? null : <Facts facts={costs} />}
    </div>
  )
}

function Orders({ verb, orders }: { verb: 'buy' | 'sell'; orders: EstimatedOrders }) {
  const { node_minutes, traded_node_minutes, average_price_dollars_per_node_hour: average } = orders
  const rest = node_minutes - traded_node_minutes
  return (
    <p>
      It would {verb} <b>{nodeHoursOf(node_minutes)}</b> in {orders.order_count}{' '}
      {orders.order_count === 1 ? 'order' : 'orders'}:{' '}
      {traded_node_minutes > 0 ? (
        <>
          {nodeHoursOf(traded_node_minutes)} at once for <Money dollars={orders.total_dollars} />
          {average === null ? null : (
            <>
              {' '}
              (<Money dollars={average} /> a node-hour)
            </>
          )}
          {rest > 0 ? ', and the rest waits on the book' : ''}.
        </>
      ) : (
        'all of it waits on the book.'
      )}{' '}
      {verb === 'buy' ? (
        <>
          At most <Money dollars={orders.worst_case_dollars} /> is held for it.
        </>
      ) : (
        <>
          The fee is <Money dollars={orders.fee_dollars} />.
        </>
      )}
    </p>
  )
}
