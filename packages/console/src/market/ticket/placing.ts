/** Places an order once, however often it is tried: a lost response does not buy twice. */
import type { AmendOrderBody, CreateOrderBody, Order, OrderId } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../../live/client.ts'
import { useOwnKey } from '../../live/drafts/draft.ts'
import { useAction } from '../../live/queries.ts'
import { mayBePlaced } from './placing.rules.ts'

/** An order that was sent and whose outcome is not known, and the key that it was sent with. */
type Unanswered = { readonly order: string; readonly key: string }

function readUnanswered(place: string): Unanswered | undefined {
  return JSON.parse(sessionStorage.getItem(place) ?? 'null') ?? undefined
}

/** What is sent: an order, or other terms for an open one. */
export type Placing = {
  readonly body: CreateOrderBody
  readonly amendment: { readonly id: OrderId; readonly body: AmendOrderBody } | undefined
}

/** Where the order is kept. */
function usePlace(): string {
  return useOwnKey('placing')
}

/** Whether another order than this one was sent from this tab by this person and may have been placed, as it opens. */
export function useHasOtherUnanswered({ body, amendment }: Placing): boolean {
  const place = usePlace()
  const [hasOther] = useState(() => {
    const kept = readUnanswered(place)
    return kept !== undefined && kept.order !== JSON.stringify(amendment ?? body)
  })
  return hasOther
}

/** Sends the order with the key of the last try of the same one. */
async function send(place: string, { body, amendment }: Placing): Promise<Order> {
  const order = JSON.stringify(amendment ?? body)
  const kept = readUnanswered(place)
  const key = kept?.order === order ? kept.key : crypto.randomUUID()
  sessionStorage.setItem(place, JSON.stringify({ order, key }))
  try {
    const options = { idempotencyKey: key }
    const placed = await (amendment
      ? client.orders.amend(amendment.id, amendment.body, options)
      : client.orders.create(body, options))
    sessionStorage.removeItem(place)
    return placed
  } catch (error) {
    if (!mayBePlaced(error)) sessionStorage.removeItem(place)
    throw error
  }
}

/** Places and amends orders. */
export function usePlacing(onPlaced: (order: Order) => void) {
  const place = usePlace()
  return useAction((placing: Placing) => send(place, placing), {
    nouns: ['order', 'balance', 'hold', 'orderbook', 'estimate', 'pool', 'budget'],
    onDone: onPlaced,
  })
}
