/** The form of a ticket, as its page and its panel show it. */
import { type ReactNode, useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Money } from '../../ui/values.tsx'
import { filledText, isOpen } from '../orders/order.rules.ts'
import { useOrder } from '../orders/order-parts.tsx'
import { PriceFields } from './price-fields.tsx'
import { RunFields } from './run-fields.tsx'
import { SkuField } from './sku-field.tsx'
import styles from './ticket.module.css'
import { emptyTicket } from './ticket.rules.ts'
import { PoolField, SideField, TypedField, WindowChips, WindowFields } from './ticket-fields.tsx'
import type { FilledTicket } from './use-filled-ticket.ts'
import type { Ordering } from './use-ordering.ts'

type TicketFormProps = {
  filled: FilledTicket
  ordering: Ordering
  /** Whether it stands in a panel, which says in its title what is traded. */
  isPanel?: boolean
  /** Between the fields of the order and those of the instance. */
  estimate?: ReactNode
  /** Before the button. */
  children?: ReactNode
}

/** The fields, and the button that reviews the order. */
export function TicketForm({ filled, ordering, isPanel = false, estimate, children }: TicketFormProps) {
  const { ticket, change, amended, sku } = filled
  const fields = { ...filled, ...ordering }
  return (
    <form
      className={isPanel ? styles.form : `${styles.form} card`}
      aria-label="Order"
      onSubmit={(event) => {
        event.preventDefault()
        ordering.begin?.()
      }}
    >
      {ticket.amends ? <Amends id={ticket.amends} onStop={() => change({ amends: '' })} /> : null}
      {amended || isPanel ? null : <TypedField {...fields} />}
      {amended ? null : (
        <div className={styles.chosen}>
          <SideField {...fields} />
          <WindowChips {...fields} />
        </div>
      )}
      <div className={isPanel ? styles.pairs : styles.fields}>
        {amended || isPanel ? null : <SkuField {...fields} />}
        {amended || isPanel ? null : <PoolField {...fields} />}
        <WindowFields {...fields} />
        <PriceFields {...fields} sku={sku} isShort={isPanel} />
        {isPanel && !amended && filled.pools.length !== 1 ? <PoolField {...fields} /> : null}
      </div>
      {estimate}
      <RunFields {...fields} />
      {children}
      <Foot filled={filled} ordering={ordering} isPanel={isPanel} />
    </form>
  )
}

/** The button, what the order costs, and why it cannot be reviewed or is not yet. */
function Foot({
  filled: { ticket, change },
  ordering,
  isPanel,
}: Required<Omit<TicketFormProps, 'estimate' | 'children'>>) {
  const { estimate, refused, isOld, problems, begin, isWaiting, end } = ordering
  const hint = useId()
  const wrong = Object.keys(problems).length
  const needsLimit = refused !== null || estimate?.type === 'unavailable'
  const cost = estimate?.total_dollars && !isOld ? estimate.total_dollars : undefined
  return (
    <div className={`row ${styles.foot}`}>
      <Button kind="primary" type="submit" disabled={!begin} isBusy={isWaiting} aria-describedby={hint}>
        Review the order
      </Button>
      {cost === undefined ? null : (
        <span className={styles.cost}>
          {ticket.side === 'sell' ? 'Brings' : 'Costs'} <Money dollars={cost} />
        </span>
      )}
      {isPanel ? null : <Button onClick={() => change({ ...emptyTicket, side: ticket.side })}>Clear</Button>}
      {isWaiting ? (
        <span className={`quiet ${styles.waiting}`} role="status">
          It opens when the server has said what this does now.{' '}
          <Button kind="plain" onClick={end}>
            Do not wait
          </Button>
        </span>
      ) : null}
      <span id={hint} className="quiet">
        {begin ? '' : missingText(wrong, needsLimit)}
      </span>
    </div>
  )
}

/** Why the order cannot be reviewed. */
function missingText(wrong: number, needsLimit: boolean): string {
  if (wrong > 0) return wrong === 1 ? 'One field is not right.' : `${wrong} fields are not right.`
  return needsLimit ? 'Without an estimate that trades, the order needs a limit price.' : ''
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
