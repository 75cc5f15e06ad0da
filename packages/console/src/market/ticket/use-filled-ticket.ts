/** A ticket with what it refers to. */
import { useEffect } from 'react'
import { useAll } from '../../live/all.ts'
import { client } from '../../live/client.ts'
import { useAccount, useNow } from '../../live/clock.ts'
import { useThings } from '../../live/forms/things.tsx'
import { useList, useRead } from '../../live/queries.ts'
import { useOrder } from '../orders/order-parts.tsx'
import { findPool, findSku, poolsFor } from '../sku.rules.ts'
import { atRunningMinute, fillingIn, isRun, orderTime, type Ticket, type TicketChange } from './ticket.rules.ts'

/** What a ticket holds, and how to change it. */
export type TicketState = readonly [ticket: Ticket, change: (change: TicketChange) => void]

/** The ticket with its SKU, its pool and the order that it amends. What is missing is filled in. */
export function useFilledTicket([given, change]: TicketState) {
  const { now, isKnown } = useOrderTime()
  const skus = useList('list_skus', {})
  const pools = useList('list_pools', {})
  const images = useThings('image', { enabled: isRun(given) })
  // The first image is known once those of the operator are, which come first.
  const offered = useAll('list_images', { public: true, state: ['completed'] }, { enabled: isRun(given) })
  const sku = given.sku === '' ? skus.rows[0] : findSku(skus.rows, given.sku)
  const usable = poolsFor(pools.rows, given.side, sku?.id ?? given.sku)
  const pool = given.pool === '' ? usable[0] : findPool(pools.rows, given.pool)
  const { data: amended } = useOrder(given.amends)
  const image = given.image || (offered.data && isRun(given) ? (images[0]?.id ?? '') : '')
  const refs = { ...given, sku: sku?.id ?? given.sku, pool: pool?.id ?? given.pool, image }
  const ticket = atRunningMinute(refs, amended, now)
  const isReady = isKnown && !skus.isPending && !pools.isPending && (given.amends === '' || amended !== undefined)
  const isFilled = JSON.stringify(ticket) === JSON.stringify(given)
  useEffect(() => {
    if (isReady && !isFilled) change(fillingIn(given, ticket))
  })
  const error = skus.error ?? pools.error
  return { ticket, change, now, skus: skus.rows, pools: pools.rows, images, sku, pool, amended, error, isReady }
}

/** The time that orders go by. The clock of a sandbox is read anew, because somebody may have turned it. */
function useOrderTime(): { readonly now: number; readonly isKnown: boolean } {
  const { data: account } = useAccount()
  const enabled = account?.server.mode === 'sandbox'
  const read = () => client.clock.get()
  const clock = useRead(['clock', 'state'], read, { enabled, isNeverFresh: true })
  return { now: orderTime(useNow(), clock.data), isKnown: !enabled || clock.isFetchedAfterMount }
}

/** A ticket as the page and the panel have it. */
export type FilledTicket = ReturnType<typeof useFilledTicket>
