/** The state of the ticket: in the address, and in this tab for who comes back to an empty one. */
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useNow } from '../../live/clock.ts'
import { useDraft } from '../../live/drafts/use-draft.ts'
import { useAddress } from '../../ui/address.ts'
import { changesOf, emptyTicket, freshDraft, type Ticket, type TicketChange, withChange } from './ticket.rules.ts'

/** Milliseconds after the last key until the address follows: before the server is asked, who may end the session. */
const writeAfter = 40
/** Addresses of this page that may still be on their way: a slow browser writes one for each key. */
const ownMax = 200

/**
 * What the ticket holds, and how to change it. Fields keep what is typed by themselves and the address follows: a
 * navigation for each key would lose keys.
 */
export function useTicket(): [Ticket, (change: TicketChange) => void] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>
  const [address, setAddress] = useAddress(emptyTicket)
  const now = useNow(60)
  const [draft, keepDraft] = useDraft<Partial<Ticket>>('ticket', {})
  const [ticket, setTicket] = useState<Ticket>(() =>
    Object.keys(search).length === 0 ? { ...emptyTicket, ...freshDraft(draft, now) } : address,
  )
  const own = useRef<readonly string[]>([JSON.stringify(address)])
  const text = JSON.stringify(ticket)
  const given = JSON.stringify(address)
  const isBare = Object.keys(search).length === 0
  // Another link to the ticket, or Back. A link without parameters keeps what is typed.
  useEffect(() => {
    const place = own.current.indexOf(given)
    // They arrive in their order: those before it have come, or do not come.
    own.current = place < 0 ? [given] : own.current.slice(place)
    if (place < 0 && !isBare) setTicket(JSON.parse(given))
  }, [given, isBare])
  const seen = useRef('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const place = `${isBare} ${text}`
    if (seen.current === place) return
    seen.current = place
    keepDraft(changesOf(ticket))
    clearTimeout(timer.current)
    if (given === text) return
    timer.current = setTimeout(() => {
      own.current = [...own.current, text].slice(-ownMax)
      setAddress(ticket)
    }, writeAfter)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return [ticket, (change) => setTicket((old) => withChange(old, change))]
}
