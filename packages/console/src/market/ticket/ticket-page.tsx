/** The ticket: an order is typed or filled in, estimated while it changes, and placed. */
import { lazy, Suspense, useState } from 'react'
import { CodeLines } from '../../ui/code-lines.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Page } from '../../ui/page.tsx'
import { HaltBanner } from '../halt-banner.tsx'
import { orderTitle } from '../orders/order.rules.ts'
import type { Placed } from './placing.ts'
import styles from './ticket.module.css'
import { emptyTicket } from './ticket.rules.ts'
import { TicketEstimate } from './ticket-estimate.tsx'
import { TicketForm } from './ticket-form.tsx'
import { ticketAsProgram } from './ticket-programs.rules.ts'
import { useFilledTicket } from './use-filled-ticket.ts'
import { useOrdering } from './use-ordering.ts'
import { useTicket } from './use-ticket.ts'

// What comes after the form is loaded when it is there.
const ReviewDialog = lazy(async () => ({ default: (await import('./order-review.tsx')).ReviewDialog }))
const Receipt = lazy(async () => ({ default: (await import('./receipt.tsx')).Receipt }))
const TicketStrip = lazy(async () => ({ default: (await import('./ticket-strip.tsx')).TicketStrip }))

/** A receipt ends with the visit: it is neither in the address nor in the tab. */
type ShownReceipt = { readonly placed: Placed; readonly hasLimit: boolean }

/** The page. */
export function TicketPage() {
  const filled = useFilledTicket(useTicket())
  const ordering = useOrdering(filled)
  const { ticket, change, now, sku, pool, amended, error } = filled
  const [receipt, setReceipt] = useState<ShownReceipt>()
  const placed = (result: Placed) => {
    ordering.end()
    setReceipt({ placed: result, hasLimit: ticket.limit !== '' })
    change({ ...emptyTicket, side: ticket.side, sku: ticket.sku, pool: ticket.pool })
  }
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
      {sku ? <HaltBanner sku={sku.id} /> : null}
      <Suspense>
        {receipt ? (
          <Receipt
            {...receipt}
            onNext={(next) => {
              setReceipt(undefined)
              change({ ...emptyTicket, ...next })
            }}
            onClose={() => setReceipt(undefined)}
          />
        ) : null}
      </Suspense>
      <div className={styles.ticket}>
        <TicketForm filled={filled} ordering={ordering} />
        <div className="stack">
          <TicketEstimate filled={filled} ordering={ordering} />
          {ordering.body ? <CodeLines ways={ticketAsProgram(filled, ordering.body)} /> : null}
        </div>
      </div>
      <Suspense>
        {ordering.review ? (
          <ReviewDialog review={ordering.review} filled={filled} onClose={ordering.end} onPlaced={placed} />
        ) : null}
      </Suspense>
      <Suspense>
        {sku ? <TicketStrip ticket={ticket} sku={sku} pool={pool} now={now} change={change} /> : null}
      </Suspense>
    </Page>
  )
}
