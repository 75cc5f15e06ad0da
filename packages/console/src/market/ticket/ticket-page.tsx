/** The ticket: an order is typed or filled in, estimated while it changes, and placed. */
import { ApiError, type CreateOrderBody, type Order, type OrderEstimate } from '@bourse/sdk'
import { type ReactNode, useEffect, useState } from 'react'
import { useNow } from '../../live/clock.ts'
import { useList } from '../../live/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLines } from '../../ui/code-lines.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Page } from '../../ui/page.tsx'
import { Money } from '../../ui/values.tsx'
import { HaltBanner } from '../halt-banner.tsx'
import { filledText, isOpen, orderTitle } from '../orders/order.rules.ts'
import { useOrder } from '../orders/order-parts.tsx'
import { findPool, findSku, poolsFor, skuName } from '../sku.rules.ts'
import { ConfirmOrder } from './confirm-order.tsx'
import { PlacedOrder } from './placed-order.tsx'
import styles from './ticket.module.css'
import {
  amendmentAsProgram,
  amendmentBody,
  atRunningMinute,
  emptyTicket,
  estimateBody,
  filledTicket,
  orderAsProgram,
  orderBody,
  type Problems,
  problemsOf,
  refusedFields,
} from './ticket.rules.ts'
import { TicketEstimate } from './ticket-estimate.tsx'
import { PriceFields, type TicketFieldsProps, TypedField, WhatFields, WindowFields } from './ticket-fields.tsx'
import { TicketStrip } from './ticket-strip.tsx'
import { useEstimate, useQuote } from './use-estimate.ts'
import { useTicket } from './use-ticket.ts'

/** The ticket with what it refers to. What is missing is filled in, and so becomes part of the address. */
function useFilledTicket() {
  const [given, change] = useTicket()
  const now = useNow()
  const skus = useList('list_skus', {})
  const pools = useList('list_pools', {})
  const sku = given.sku === '' ? skus.rows[0] : findSku(skus.rows, given.sku)
  const offered = poolsFor(pools.rows, given.side, sku?.id ?? given.sku)
  const pool = given.pool === '' ? offered[0] : findPool(pools.rows, given.pool)
  const { data: amended } = useOrder(given.amends)
  const refs = { ...given, sku: sku?.id ?? given.sku, pool: pool?.id ?? given.pool }
  const ticket = atRunningMinute(filledTicket(refs, { now, sku: undefined, pool: undefined }), amended, now)
  const isReady = !skus.isPending && !pools.isPending && (given.amends === '' || amended !== undefined)
  const isFilled = JSON.stringify(ticket) === JSON.stringify(given)
  useEffect(() => {
    if (isReady && !isFilled) change(ticket)
  })
  const error = skus.error ?? pools.error
  return { ticket, change, now, skus: skus.rows, pools: pools.rows, sku, pool, amended, error, isReady }
}

/** The page. */
export function TicketPage() {
  const filled = useFilledTicket()
  const { ticket, change, now, pool, amended, error } = filled
  return (
    <Page
      title={amended ? `Amend ${orderTitle(amended)}` : 'Ticket'}
      help={
        <>
          An order buys or sells nodes of one SKU in a window of whole minutes, at a limit price or better. A buy holds
          its worst case while it is open; what it does not spend comes back.
        </>
      }
      guide="/docs/guides/trading"
    >
      <ErrorText error={error} />
      {filled.sku ? <HaltBanner sku={filled.sku.id} /> : null}
      {ticket.placed ? <PlacedOrder id={ticket.placed} onClose={() => change({ placed: '' })} /> : null}
      <EstimatedTicket {...filled} />
      <TicketStrip ticket={ticket} pool={pool} now={now} change={change} />
    </Page>
  )
}

/** An order that is reviewed as it was shown; wanted while its estimate is on the way. */
type Review = 'wanted' | { readonly body: CreateOrderBody; readonly estimate: OrderEstimate | undefined } | undefined

/** The form, beside it what the server says about it, and the question before it is placed. */
function EstimatedTicket(filled: ReturnType<typeof useFilledTicket>) {
  const { ticket, change, now, skus, pools, sku, pool, amended, isReady } = filled
  const asked = isReady ? estimateBody(ticket, now) : undefined
  const { estimate, refused, isOld } = useEstimate(asked)
  const { data: quote } = useQuote(asked)
  const body = orderBody(ticket, estimate, now)
  const problems = isReady ? { ...refusedBy(refused, estimate), ...problemsOf(ticket, now) } : {}
  const [review, setReview] = useState<Review>()
  // What is confirmed is what was shown: it stays as it is while the book moves on, and is never an old estimate.
  useEffect(() => {
    if (review === 'wanted' && !isOld) setReview(body && { body, estimate })
  }, [review, isOld, body, estimate])
  const placed = (order: Order) => {
    setReview(undefined)
    change({ ...emptyTicket, side: ticket.side, sku: ticket.sku, pool: ticket.pool, placed: order.id })
  }
  return (
    <div className={styles.ticket}>
      <TicketForm
        ticket={ticket}
        change={change}
        problems={problems}
        skus={skus}
        pools={pools}
        quote={quote}
        now={now}
        amended={amended}
        onReview={body ? () => setReview('wanted') : undefined}
        onClear={() => change({ ...emptyTicket, side: ticket.side })}
        cost={estimate?.total_dollars && !isOld ? <CostNow estimate={estimate} side={ticket.side} /> : null}
        needsLimit={refused !== null || estimate?.type === 'unavailable'}
      />
      <div className="stack">
        <TicketEstimate
          estimate={estimate}
          error={refused}
          isOld={isOld}
          workspace={pool?.workspace.id}
          change={change}
        />
        {body ? <CodeLines ways={asProgram(body, amended, now)} /> : null}
      </div>
      {typeof review === 'object' ? (
        <ConfirmOrder
          {...review}
          sku={sku ? skuName(sku) : ticket.sku}
          pool={pool?.name ?? ticket.pool}
          amended={amended}
          now={now}
          onClose={() => setReview(undefined)}
          onPlaced={placed}
        />
      ) : null}
    </div>
  )
}

function asProgram(body: CreateOrderBody, amended: Order | undefined, now: number): Readonly<Record<string, string>> {
  if (!amended) return orderAsProgram(body, location.origin)
  return amendmentAsProgram(amended.id, amendmentBody(amended, body, now), location.origin)
}

type TicketFormProps = TicketFieldsProps & {
  /** Undefined where the order is not complete. */
  onReview: (() => void) | undefined
  onClear: () => void
  /** Shown beside the button. */
  cost: ReactNode
  /** Whether no estimate tells a price. */
  needsLimit: boolean
  amended: Order | undefined
}

function TicketForm({ onReview, onClear, cost, needsLimit, amended, ...fields }: TicketFormProps) {
  const { ticket, change, problems } = fields
  const wrong = Object.keys(problems).length
  return (
    <form
      className={`${styles.form} card`}
      aria-label="Order"
      onSubmit={(event) => {
        event.preventDefault()
        onReview?.()
      }}
    >
      {ticket.amends ? <Amends id={ticket.amends} onStop={() => change({ amends: '' })} /> : null}
      {amended ? null : <TypedField {...fields} />}
      <div className={styles.fields}>
        {amended ? null : <WhatFields {...fields} />}
        <WindowFields {...fields} />
        <PriceFields {...fields} />
      </div>
      <div className={`row ${styles.foot}`}>
        <Button kind="primary" type="submit" disabled={!onReview}>
          Review the order
        </Button>
        {cost}
        <Button onClick={onClear}>Clear</Button>
        <span className="quiet">{onReview ? '' : missingText(wrong, needsLimit)}</span>
      </div>
    </form>
  )
}

/** What the order would cost or bring at once. */
function CostNow({ estimate, side }: { estimate: OrderEstimate; side: string }) {
  return (
    <span className={styles.cost}>
      {side === 'sell' ? 'Brings' : 'Costs'} <Money dollars={estimate.total_dollars} />
    </span>
  )
}

/** Why the order cannot be reviewed. */
function missingText(wrong: number, needsLimit: boolean): string {
  if (wrong > 0) return wrong === 1 ? 'One field is not right.' : `${wrong} fields are not right.`
  return needsLimit ? 'Without an estimate that trades, the order needs a limit price.' : ''
}

/** What the server would refuse, by field. */
function refusedBy(error: Error | null, estimate: OrderEstimate | undefined): Problems {
  const details = error instanceof ApiError ? error.details : []
  return refusedFields([...details, ...(estimate?.refusal ? [estimate.refusal] : [])])
}

/** What the ticket changes. An order that cannot be read cannot be amended. */
function Amends({ id, onStop }: { id: string; onStop: () => void }) {
  const { data: order, error } = useOrder(id)
  return (
    <div className={styles.amends}>
      {order && isOpen(order) ? `Nodes and times are the total. ${filledText(order)} ` : ''}
      {order && !isOpen(order) ? 'This order has ended and can no longer be amended. ' : ''}
      <Button kind="plain" onClick={onStop}>
        Place another order instead
      </Button>
      {order ? null : <ErrorText error={error} />}
    </div>
  )
}
