/** The question before an order is placed, with the most that it can cost. */
import type { CreateOrderBody, OrderEstimate } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/page.tsx'
import { Moment, Money } from '../../ui/values.tsx'
import { restText, worstCaseOf } from './estimate.rules.ts'
import { type Outcome, useHasOtherUnanswered, usePlacing } from './placing.ts'
import { WorstCase } from './ticket-estimate.tsx'

type ConfirmOrderProps = {
  body: CreateOrderBody
  estimate: OrderEstimate | undefined
  sku: string
  pool: string
  /** The order that is cancelled first. */
  amends: string
  /** Its node-minutes that were filled when the number of nodes was chosen. */
  filled: number
  onClose: () => void
} & Outcome

/** The dialog. */
export function ConfirmOrder({ body, estimate, sku, pool, amends, filled, onClose, ...outcome }: ConfirmOrderProps) {
  const placing = usePlacing(outcome)
  const isAfterUnanswered = useHasOtherUnanswered(body)
  const [window] = body.allocation_schedule_delta
  const nodes = window?.node_count ?? 0
  const verb = body.side === 'buy' ? 'Buy' : 'Sell'
  const what = `${verb} ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
  const quoted = estimate?.type === 'quoted' ? estimate : undefined
  return (
    <ConfirmDialog
      title={`${what} of ${sku}?`}
      action={what}
      isOpen
      isDangerous={false}
      onClose={onClose}
      onConfirm={() => placing.run({ body, amends, filled })}
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
      {amends ? (
        <p>
          First <span className="mono">{amends}</span> is cancelled. If the new order is then refused, the old one does
          not come back.
        </p>
      ) : null}
      <Facts
        facts={[
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
