/** From a ticket to an order: its estimate, what is wrong with it, and the review before it is placed. */
import { ApiError, type CreateOrderBody, type OrderEstimate } from '@bourse/sdk'
import { useEffect, useState } from 'react'
import { isOpen } from '../orders/order.rules.ts'
import { estimateBody, orderBody, type Problems, problemsOf, refusedFields } from './ticket.rules.ts'
import { useEstimate, useQuote } from './use-estimate.ts'
import type { FilledTicket } from './use-filled-ticket.ts'

/** An order as it was shown. */
export type Review = { readonly body: CreateOrderBody; readonly estimate: OrderEstimate | undefined }

/** What the server says about the ticket, and the review that was asked for. */
export function useOrdering({ ticket, now, amended, isReady }: FilledTicket) {
  // An order that has ended cannot be amended, so nothing is asked about it.
  const isAsked = isReady && (amended === undefined || isOpen(amended))
  const asked = isAsked ? estimateBody(ticket, now) : undefined
  const [review, setReview] = useState<'wanted' | Review>()
  // While an amendment is on its way, its order ends: nothing is asked about it any more.
  const { estimate, refused, isOld } = useEstimate(asked, typeof review === 'object')
  const { data: quote } = useQuote(asked)
  const body = isAsked ? orderBody(ticket, estimate, now) : undefined
  const problems = isReady ? { ...refusedBy(refused, estimate), ...problemsOf(ticket, now) } : {}
  // What is confirmed is what was shown: it stays as it is while the book moves on, and is never an old estimate.
  useEffect(() => {
    if (review === 'wanted' && !isOld) setReview(body && { body, estimate })
  }, [review, isOld, body, estimate])
  return {
    estimate,
    refused,
    isOld,
    quote,
    body,
    problems,
    review: typeof review === 'object' ? review : undefined,
    /** Whether the review opens as soon as its estimate is there. */
    isWaiting: review === 'wanted',
    begin: body ? () => setReview('wanted') : undefined,
    end: () => setReview(undefined),
  }
}

/** The same as the page and the panel have it. */
export type Ordering = ReturnType<typeof useOrdering>

/** What the server would refuse, by field. */
function refusedBy(error: Error | null, estimate: OrderEstimate | undefined): Problems {
  const details = error instanceof ApiError ? error.details : []
  return refusedFields([...details, ...(estimate?.refusal ? [estimate.refusal] : [])])
}
