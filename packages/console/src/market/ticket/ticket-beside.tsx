/** The ticket beside a page on which an order is begun: how it is opened and closed, and the window to mark there. */
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type { OpenTicket } from '../book/trade-link.tsx'
import type { MarkedOrder, Ticket } from './ticket.rules.ts'

const TicketPanel = lazy(() => import('./ticket-panel.tsx').then(({ TicketPanel: panel }) => ({ default: panel })))

/** The panel of a page. Without a draft it is closed. */
export function useTicketBeside() {
  const [draft, setDraft] = useState<Partial<Ticket>>()
  const [marked, setMarked] = useState<MarkedOrder>()
  const opener = useRef<Element>(null)
  const trade: OpenTicket = useCallback((next) => {
    opener.current = document.activeElement
    setDraft(next)
    setMarked(next)
  }, [])
  const close = useCallback(() => {
    setDraft(undefined)
    setMarked(undefined)
  }, [])
  // The focus returns to where the last order began; the browser returns it to where the first one did.
  useEffect(() => {
    if (draft === undefined && opener.current instanceof Element) (opener.current as HTMLElement | SVGElement).focus()
  }, [draft])
  return { draft, marked, trade, close, setMarked }
}

type TicketBesideProps = Pick<ReturnType<typeof useTicketBeside>, 'draft' | 'close' | 'setMarked'>

/** The panel. Another draft is another order: it begins anew, with the focus in it. */
export function TicketBeside({ draft, close, setMarked }: TicketBesideProps) {
  if (draft === undefined) return null
  return (
    <Suspense>
      <TicketPanel key={JSON.stringify(draft)} draft={draft} close={close} onMark={setMarked} />
    </Suspense>
  )
}
