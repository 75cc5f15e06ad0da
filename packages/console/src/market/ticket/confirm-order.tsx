/** The question before an order is placed, with the most that it can cost. */
import type { CreateOrderBody, Order, OrderEstimate } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/page.tsx'
import { Moment, Money } from '../../ui/values.tsx'
import { filledText, orderTitle } from '../orders/order.rules.ts'
import { restText, worstCaseOf } from './estimate.rules.ts'
import { type Placing, useHasOtherUnanswered, usePlacing } from './placing.ts'
import { amendmentBody } from './ticket.rules.ts'
import { WorstCase } from './ticket-estimate.tsx'

type ConfirmOrderProps = {
  body: CreateOrderBody
  estimate: OrderEstimate | undefined
  sku: string
  pool: string
  /** The order that gets these terms. */
  amended: Order | undefined
  now: number
  onClose: () => void
  onPlaced: (order: Order) => void
}

/** The dialog. */
export function ConfirmOrder({ body, estimate, sku, pool, amended, now, onClose, onPlaced }: ConfirmOrderProps) {
  const placing = usePlacing(onPlaced)
  // What is confirmed is what was shown, also when a minute has passed.
  const [sent] = useState<Placing>(() => ({
    body,
    amendment: amended && { id: amended.id, body: amendmentBody(amended, body, now) },
  }))
  const isAfterUnanswered = useHasOtherUnanswered(sent)
  const [window] = body.allocation_schedule_delta
  const nodes = window?.node_count ?? 0
  const verb = body.side === 'buy' ? 'Buy' : 'Sell'
  const what = `${verb} ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
  const quoted = estimate?.type === 'quoted' ? estimate : undefined
  return (
    <ConfirmDialog
      title={amended ? `Amend ${orderTitle(amended)}?` : `${what} of ${sku}?`}
      action={amended ? 'Amend the order' : what}
      isOpen
      isDangerous={false}
      onClose={onClose}
      onConfirm={() => placing.run(sent)}
      isBusy={placing.isRunning}
      error={placing.error}
    >
      {isAfterUnanswered ? (
        <p className="warn">
          It is not known whether the last order that was sent from here was placed. Look at the{' '}
          <Link to="/orders" search={{ view: 'all' }}>
            orders
          </Link>{' '}
          first.
        </p>
      ) : null}
      {amended ? <p>{filledText(amended)} If these terms are refused, the order stays as it is.</p> : null}
      <Facts
        facts={[
          ...(amended ? ([['Nodes in total', nodes]] as const) : []),
          ['From', <Moment key="from" at={window?.start_at} />],
          ['Until', <Moment key="until" at={window?.end_at} />],
          ['Pool', pool],
          ['Limit for a node-hour', <Money key="limit" dollars={body.limit_price_dollars_per_node_hour} />],
          ...(quoted
            ? ([
                ['Worst case', <WorstCase key="worst" estimate={quoted} />],
                [body.side === 'buy' ? 'Costs now' : 'Brings now', <Money key="now" dollars={quoted.total_dollars} />],
                ['Rests', restText(quoted)],
              ] as const)
            : ([['Worst case', <OwnWorstCase key="worst" body={body} />]] as const)),
        ]}
      />
    </ConfirmDialog>
  )
}

/** The worst case where there is no estimate that says it. */
function OwnWorstCase({ body }: { body: CreateOrderBody }) {
  const dollars = worstCaseOf(body)
  if (dollars === undefined) return <>Nothing is paid; the nodes are promised until they are sold.</>
  return (
    <>
      <Money dollars={dollars} /> <span className="quiet small">the limit for all nodes and hours</span>
    </>
  )
}
