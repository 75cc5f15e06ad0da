/** Places an order once, however often it is tried: a lost response does not buy twice. */
import {
  type AmendOrderBody,
  ApiError,
  type CreateInstanceBody,
  type CreateOrderBody,
  type Instance,
  type Order,
  type OrderId,
} from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../../live/client.ts'
import { useOwnKey } from '../../live/drafts/draft.ts'
import { useAction } from '../../live/queries.ts'
import { beginningNow, mayBePlaced } from './placing.rules.ts'

/** An order that was sent and whose outcome is not known, and the key that it was sent with. */
type Unanswered = { readonly order: string; readonly key: string }

function readUnanswered(place: string): Unanswered | undefined {
  return JSON.parse(sessionStorage.getItem(place) ?? 'null') ?? undefined
}

/** What is sent: an order, other terms for an open one, or instances that buy what they run on. */
export type Placing = {
  readonly body: CreateOrderBody
  readonly amendment: { readonly id: OrderId; readonly body: AmendOrderBody } | undefined
  readonly launches: readonly CreateInstanceBody[] | undefined
  /** Whether it begins with the running minute, whichever that is. */
  readonly isNow: boolean
}

/** What has become of it. */
export type Placed = {
  readonly order: OrderId | undefined
  readonly instances: readonly Instance[]
  /** Why fewer instances were created than were asked for. */
  readonly failure?: Error
}

/** Where the order is kept. */
function usePlace(): string {
  return useOwnKey('placing')
}

function textOf({ body, amendment, launches }: Placing): string {
  return JSON.stringify(amendment ?? launches ?? body)
}

/** Whether another order than this one was sent from this tab by this person and may have been placed, as it opens. */
export function useHasOtherUnanswered(placing: Placing): boolean {
  const place = usePlace()
  const [hasOther] = useState(() => {
    const kept = readUnanswered(place)
    return kept !== undefined && kept.order !== textOf(placing)
  })
  return hasOther
}

/** Sends the order with the key of the last try of the same one. */
async function send(place: string, placing: Placing): Promise<Placed> {
  const order = textOf(placing)
  const kept = readUnanswered(place)
  const key = kept?.order === order ? kept.key : crypto.randomUUID()
  sessionStorage.setItem(place, JSON.stringify({ order, key }))
  try {
    const placed = await (placing.launches ? launch(placing.launches, key) : trade(placing, key))
    sessionStorage.removeItem(place)
    return placed
  } catch (error) {
    if (!mayBePlaced(error)) sessionStorage.removeItem(place)
    throw error
  }
}

async function trade({ body, amendment, isNow }: Placing, idempotencyKey: string): Promise<Placed> {
  const options = { idempotencyKey }
  if (amendment) return placedOf(await client.orders.amend(amendment.id, amendment.body, options))
  try {
    return placedOf(await client.orders.create(body, options))
  } catch (error) {
    const isPast = isNow && error instanceof ApiError && error.codes.includes('in_the_past')
    if (!isPast) throw error
    // The person agreed to no less. A second key, which no other body can have: it is placed once all the same.
    const later = beginningNow(body, (await client.account.get()).server.now)
    if (later === undefined) throw error
    return placedOf(await client.orders.create(later, { idempotencyKey: `${idempotencyKey}-now` }))
  }
}

function placedOf({ id }: Order): Placed {
  return { order: id, instances: [] }
}

/** One after the other. Where one is refused, those before it stay. */
async function launch(launches: readonly CreateInstanceBody[], key: string): Promise<Placed> {
  const instances: Instance[] = []
  for (const [index, body] of launches.entries()) {
    try {
      instances.push(await client.instances.create(body, { idempotencyKey: `${key}-${index + 1}` }))
    } catch (error) {
      // What may have been created is asked for once more with the same key.
      if (instances.length === 0 || mayBePlaced(error)) throw error
      return { order: instances[0]?.order, instances, failure: error as Error }
    }
  }
  return { order: instances[0]?.order, instances }
}

/** Places and amends orders, and creates instances that buy. */
export function usePlacing(onPlaced: (placed: Placed) => void) {
  const place = usePlace()
  return useAction((placing: Placing) => send(place, placing), {
    nouns: ['order', 'balance', 'hold', 'orderbook', 'pool', 'budget', 'instance'],
    onDone: onPlaced,
  })
}
