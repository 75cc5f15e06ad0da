/** The question before an order is placed, with the most that it can cost. */
import type { CreateOrderBody, Order, OrderEstimate, OrderId } from '@bourse/sdk'
import { useRef } from 'react'
import { client } from '../../live/client.ts'
import { useAction } from '../../live/queries.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/page.tsx'
import { Moment, Money } from '../../ui/values.tsx'
import { restText } from './estimate.rules.ts'
import { WorstCase } from './ticket-estimate.tsx'

type ConfirmProps = {
  body: CreateOrderBody
  estimate: OrderEstimate | undefined
  sku: string
  pool: string
  /** The order that is cancelled first. */
  amends: string
  onAmended: () => void
  onClose: () => void
  onPlaced: (order: Order) => void
}

/** The same order is placed once, however often it is tried: a lost response does not buy twice. */
function usePlacing(onAmended: () => void, onPlaced: (order: Order) => void) {
  const key = useRef({ order: '', key: '' })
  return useAction(
    async ({ body, amends }: { body: CreateOrderBody; amends: string }) => {
      const order = JSON.stringify(body)
      if (key.current.order !== order) key.current = { order, key: crypto.randomUUID() }
      if (amends !== '') {
        await client.orders.cancel(amends as OrderId)
        onAmended()
      }
      return client.orders.create(body, { idempotencyKey: key.current.key })
    },
    { nouns: ['order', 'balance', 'hold', 'orderbook', 'estimate', 'pool', 'budget'], onDone: onPlaced },
  )
}

/** The dialog. */
export function ConfirmOrder({ body, estimate, sku, pool, amends, onAmended, onClose, onPlaced }: ConfirmProps) {
  const placing = usePlacing(onAmended, onPlaced)
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
      onConfirm={() => placing.run({ body, amends })}
      isBusy={placing.isRunning}
      error={placing.error}
    >
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
            : []),
        ]}
      />
    </ConfirmDialog>
  )
}
