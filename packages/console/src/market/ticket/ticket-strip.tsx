/** The next days of the SKU as on the board, with the window of the ticket in them. Another one is dragged. */
import type { Pool, Sku } from '@bourse/sdk'
import { useMemo } from 'react'
import { ErrorText } from '../../ui/error-text.tsx'
import { Loading } from '../../ui/page.tsx'
import { ownWindows } from '../board/board.rules.ts'
import { nodesOf } from '../board/board-address.rules.ts'
import { BoardStrip, StripAxis, StripLegend } from '../board/board-strip.tsx'
import { useBoard } from '../board/use-board.ts'
import styles from './ticket.module.css'
import { stripNote, type Ticket, windowOf } from './ticket.rules.ts'

type StripProps = {
  ticket: Ticket
  sku: Sku
  pool: Pool | undefined
  now: number
  change: (change: Partial<Ticket>) => void
}

/** The strip. What is owned is what the pool of the ticket owns. */
export function TicketStrip({ ticket, sku, pool, now, change }: StripProps) {
  const { data: board, error } = useBoard([sku.id])
  const { current_hour_at: current = 0, hours = 1 } = board ?? {}
  const range = useMemo(() => ({ current, hours }), [current, hours])
  const own = useMemo(() => ownWindows(pool ? [pool] : [], sku.id, range), [pool, sku.id, range])
  const row = board?.rows[0]
  const { start, end } = windowOf(ticket, now)
  const window = start !== undefined && end !== undefined && end > start ? { start, end } : undefined
  const note = stripNote(window, range)
  return (
    <section className={`card ${styles.window}`} aria-label="Window">
      <h2>Drag a window</h2>
      <ErrorText error={error} />
      {row ? (
        <>
          <StripAxis range={range} />
          <BoardStrip
            row={row}
            range={range}
            now={now - (now % 60)}
            nodes={nodesOf(ticket)}
            unit="gpu"
            side={ticket.side === 'sell' ? 'sell' : 'buy'}
            own={own}
            held={window}
            onMark={(from, until) => change({ start: String(from), end: String(until) })}
          />
          <StripLegend own={pool ? `owned by ${pool.name}` : 'own nodes'}>
            <span>With the keyboard: arrows, Page Up and Down for days, Shift to mark, Enter to take.</span>
            {note === '' ? null : <span>{note}</span>}
          </StripLegend>
        </>
      ) : error ? null : (
        <Loading />
      )}
    </section>
  )
}
