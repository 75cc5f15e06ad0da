/** The ticket beside a page on which a window was marked: what it does now, its review and its receipt in one place. */
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { CodeLines } from '../../ui/code-lines.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { orderTitle } from '../orders/order.rules.ts'
import { skuName } from '../sku.rules.ts'
import { PanelReview } from './order-review.tsx'
import type { Placed } from './placing.ts'
import { Receipt } from './receipt.tsx'
import { changesOf, emptyTicket, type MarkedOrder, type Ticket, windowOf, withChange } from './ticket.rules.ts'
import { TicketEstimate } from './ticket-estimate.tsx'
import { TicketForm } from './ticket-form.tsx'
import { ticketAsProgram } from './ticket-programs.rules.ts'
import { type FilledTicket, useFilledTicket } from './use-filled-ticket.ts'
import { useOrdering } from './use-ordering.ts'

/**
 * `draft`: what a link to the ticket's page has as its search parameters, as the panel opens. `onMark` is called with
 * the window of the ticket whenever it is another one.
 */
export type TicketPanelProps = { draft: Partial<Ticket>; close: () => void; onMark: (marked: MarkedOrder) => void }

/** The panel; on a narrow screen a sheet over the page. */
export function TicketPanel({ draft, close, onMark }: TicketPanelProps) {
  const [ticket, setTicket] = useState<Ticket>({ ...emptyTicket, ...draft })
  const filled = useFilledTicket([ticket, (change) => setTicket((old) => withChange(old, change))])
  const ordering = useOrdering(filled)
  const [placed, setPlaced] = useState<Placed>()
  const begin = (next: Partial<Ticket>) => {
    setPlaced(undefined)
    ordering.end()
    setTicket({ ...emptyTicket, ...next })
  }
  useMark(filled, onMark)
  const { sku, amended, error } = filled
  const verb = filled.ticket.side === 'sell' ? 'Sell' : 'Buy'
  const title = amended ? `Amend ${orderTitle(amended)}` : `${verb} ${sku ? skuName(sku) : ''}`
  return (
    <Dialog title={placed ? 'Receipt' : ordering.review ? 'Review' : title} isOpen isBeside onClose={close}>
      <ErrorText error={error} />
      {placed ? (
        // Behind it the review goes on, so that nothing is asked about the ticket.
        <Receipt placed={placed} hasLimit={ticket.limit !== ''} onNext={begin} onClose={close} />
      ) : ordering.review ? (
        <PanelReview review={ordering.review} filled={filled} onClose={ordering.end} onPlaced={setPlaced} />
      ) : (
        <TicketForm
          filled={filled}
          ordering={ordering}
          isPanel
          estimate={<TicketEstimate filled={filled} ordering={ordering} />}
        >
          <details>
            <summary>As a program</summary>
            {ordering.body ? <CodeLines ways={ticketAsProgram(filled, ordering.body)} /> : null}
            <p>
              Or as{' '}
              <Link to="/ticket" search={changesOf(filled.ticket)}>
                a page of its own
              </Link>
              .
            </p>
          </details>
        </TicketForm>
      )}
    </Dialog>
  )
}

/** Tells the page which window the ticket has. */
function useMark({ ticket, now }: FilledTicket, onMark: TicketPanelProps['onMark']) {
  const { sku, pool } = ticket
  const { start = '', end = '' } = windowOf(ticket, now)
  useEffect(() => onMark({ sku, pool, start: String(start), end: String(end) }), [sku, pool, start, end, onMark])
}
