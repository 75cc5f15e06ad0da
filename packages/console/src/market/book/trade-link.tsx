/** A link to the ticket with an order filled in. On the board it opens the ticket beside it. */
import { Link } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import type { Ticket } from '../ticket/ticket.rules.ts'

/** Opens the ticket with what is filled in. */
export type OpenTicket = (draft: Partial<Ticket>) => void

type TradeLinkProps = {
  draft: Partial<Ticket>
  onTrade: OpenTicket
  className?: string | undefined
  title?: string
  children: ReactNode
}

/** The link. With Ctrl, Shift or the middle button it opens the page of the ticket, as links do. */
export function TradeLink({ draft, onTrade, children, ...looks }: TradeLinkProps) {
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onTrade(draft)
  }
  return (
    <Link to="/ticket" search={draft} onClick={open} {...looks}>
      {children}
    </Link>
  )
}
