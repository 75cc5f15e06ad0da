/** Places an order once, however often it is tried: a lost response does not buy twice. */
import type { CreateOrderBody, Order, OrderId } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../../live/client.ts'
import { useOwnKey } from '../../live/drafts/draft.ts'
import { useAction } from '../../live/queries.ts'
import { cancelOrder } from '../orders/cancelling.ts'
import { nodeMinutes } from '../orders/order.rules.ts'
import { mayBePlaced } from './placing.rules.ts'

/** An order that was sent and whose outcome is not known, and the key that it was sent with. */
type Unanswered = { readonly order: string; readonly key: string }

function readUnanswered(place: string): Unanswered | undefined {
  return JSON.parse(sessionStorage.getItem(place) ?? 'null') ?? undefined
}

/** Where the order is kept. */
function usePlace(): string {
  return useOwnKey('placing')
}

/** Whether another order than this one was sent from this tab by this person and may have been placed, as it opens. */
export function useHasOtherUnanswered(body: CreateOrderBody): boolean {
  const place = usePlace()
  const [hasOther] = useState(() => {
    const kept = readUnanswered(place)
    return kept !== undefined && kept.order !== JSON.stringify(body)
  })
  return hasOther
}

/** Sends the order with the key of the last try of the same one. */
async function send(place: string, body: CreateOrderBody): Promise<Order> {
  const order = JSON.stringify(body)
  const kept = readUnanswered(place)
  const key = kept?.order === order ? kept.key : crypto.randomUUID()
  sessionStorage.setItem(place, JSON.stringify({ order, key }))
  try {
    const placed = await client.orders.create(body, { idempotencyKey: key })
    sessionStorage.removeItem(place)
    return placed
  } catch (error) {
    if (!mayBePlaced(error)) sessionStorage.removeItem(place)
    throw error
  }
}

type Placing = {
  readonly body: CreateOrderBody
  /** The order that is cancelled first; empty for none. */
  readonly amends: string
  /** Its node-minutes that were filled when the number of nodes of the new one was chosen. */
  readonly filled: number
}

/** What happens to the ticket. */
export type Outcome = {
  /** The old order is cancelled, and the new one does not replace it any more. */
  readonly onAmended: () => void
  /** More of the old order was filled than the new one takes into account: it is cancelled, and none is placed. */
  readonly onFilledMeanwhile: () => void
  readonly onPlaced: (order: Order) => void
}

/** Places orders. */
export function usePlacing({ onAmended, onFilledMeanwhile, onPlaced }: Outcome) {
  const place = usePlace()
  return useAction(
    async ({ body, amends, filled }: Placing) => {
      if (amends !== '') {
        await cancelOrder(amends as OrderId)
        const { filled_allocation_schedule_delta: now } = await client.orders.get(amends as OrderId)
        // Not before: another try has to compare as well.
        onAmended()
        if (nodeMinutes(now) > filled) return undefined
      }
      return send(place, body)
    },
    {
      nouns: ['order', 'balance', 'hold', 'orderbook', 'estimate', 'pool', 'budget'],
      onDone: (order) => (order ? onPlaced(order) : onFilledMeanwhile()),
    },
  )
}
