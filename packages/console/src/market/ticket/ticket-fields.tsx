/** The fields of the ticket. */
import type { OrderbookQuote, Pool, Sku } from '@bourse/sdk'
import { lengthOf } from '@bourse/text/formats/durations.ts'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../live/client.ts'
import type { ChoiceOption } from '../../live/forms/choice.tsx'
import { useAction } from '../../live/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Field } from '../../ui/field.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { windowText } from '../../ui/values.rules.ts'
import { poolsFor } from '../sku.rules.ts'
import { namedWindows } from './named-windows.rules.ts'
import styles from './ticket.module.css'
import {
  endAfter,
  lengthOfWindow,
  type Problems,
  type Ticket,
  type TicketChange,
  windowOf,
  withStart,
  withTyped,
} from './ticket.rules.ts'
import { readLength, readTypedOrder, typedForms } from './typed-order.rules.ts'
import { useSettled } from './use-estimate.ts'

export type TicketFieldsProps = {
  ticket: Ticket
  change: (change: Partial<Ticket>) => void
  problems: Problems
  skus: readonly Sku[]
  pools: readonly Pool[]
  images: readonly ChoiceOption[]
  quote: OrderbookQuote | undefined
  now: number
}

/** Milliseconds after the last key until a text counts as wrong: half a word is not. */
const wrongAfter = 700

type TypedFieldProps = Pick<TicketFieldsProps, 'ticket' | 'skus' | 'now'> & { change: (change: TicketChange) => void }

/** An order in words: what it names is filled in below as it is typed. */
export function TypedField({ ticket, change, skus, now }: TypedFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  // Who comes by the palette or by keys goes on typing. A keyboard that is drawn on the screen is not opened.
  useEffect(() => {
    if (document.activeElement === document.body && matchMedia('(pointer: fine)').matches) input.current?.focus()
  }, [])
  const aliases = skus.map(({ alias }) => alias).filter(Boolean)
  const read = (text: string) => readTypedOrder(text, { now, aliases })
  const settled = useSettled(ticket.text, wrongAfter)
  const reading = settled === ticket.text ? read(settled) : undefined
  const skuOf = (alias: string) => skus.find((sku) => sku.alias === alias)?.id ?? alias
  const named = (present: Ticket, text: string) => withTyped(present, read(text).order, { now, skuOf })
  // What was typed before the names of the SKUs were there is read once more.
  const isKnown = aliases.length > 0
  const wasKnown = useRef(isKnown)
  useEffect(() => {
    if (isKnown && !wasKnown.current && document.activeElement === input.current) {
      change((present) => named(present, present.text))
    }
    wasKnown.current = isKnown
  })
  return (
    <Field label="Type an order" hint={typedForms} wrong={reading?.problem}>
      <input
        ref={input}
        value={ticket.text}
        onChange={({ target: { value: text } }) => change((present) => ({ ...named(present, text), text }))}
        placeholder="8 nodes tonight for 6h"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  )
}

/** Buy or sell. */
export function SideField({ ticket, change, pools }: Pick<TicketFieldsProps, 'ticket' | 'change' | 'pools'>) {
  const setSide = (side: string) => {
    const isStill = poolsFor(pools, side, ticket.sku).some(({ id }) => id === ticket.pool)
    change({ side, ...(isStill ? {} : { pool: '' }) })
  }
  return (
    <fieldset className={styles.side}>
      <legend className="visually-hidden">Side</legend>
      {['buy', 'sell'].map((side) => (
        <label key={side} data-side={side}>
          <input type="radio" name="side" value={side} checked={ticket.side === side} onChange={() => setSide(side)} />
          {side === 'buy' ? 'Buy' : 'Sell'}
        </label>
      ))}
    </fieldset>
  )
}

/** The pool of the order. */
export function PoolField({
  ticket,
  change,
  problems,
  pools,
}: Omit<TicketFieldsProps, 'quote' | 'now' | 'skus' | 'images'>) {
  const offered = poolsFor(pools, ticket.side, ticket.sku)
  const isKnown = offered.some(({ id }) => id === ticket.pool)
  return (
    <>
      <Field label="Pool" wrong={problems.pool} hint={ticket.side === 'sell' ? 'Owns the nodes.' : 'Gets the nodes.'}>
        <select value={ticket.pool} onChange={({ target }) => change({ pool: target.value })}>
          {isKnown ? null : <option value={ticket.pool}>{ticket.pool || '–'}</option>}
          {offered.map(({ id, name, workspace }) => (
            <option key={id} value={id}>
              {name} ({workspace.name})
            </option>
          ))}
        </select>
      </Field>
      {offered.length === 0 && ticket.side === 'buy' && problems.pool ? <FirstPool change={change} /> : null}
    </>
  )
}

/** Who buys for the first time has no pool yet. */
function FirstPool({ change }: Pick<TicketFieldsProps, 'change'>) {
  const create = useAction((name: string) => client.pools.create({ name }), {
    nouns: ['pool'],
    onDone: ({ id }) => change({ pool: id }),
  })
  return (
    <div className={styles.whole}>
      <p className="quiet small">
        There is no pool to buy for yet. A pool holds what is bought, and instances run in it.
      </p>
      <Button isBusy={create.isRunning} onClick={() => create.run('main')}>
        Create the pool main
      </Button>
      <ErrorText error={create.error} />
    </div>
  )
}

/** Windows by their names, of which the one that is chosen is marked. */
export function WindowChips({ ticket, change, now }: Pick<TicketFieldsProps, 'ticket' | 'change' | 'now'>) {
  return (
    <fieldset className={styles.chips}>
      <legend className="visually-hidden">When</legend>
      {namedWindows(ticket, now).map(({ name, start, end }) => (
        <button
          key={name}
          type="button"
          aria-pressed={ticket.start === start && ticket.end === end}
          title={titleOf({ start, end }, now)}
          onClick={() => change({ start, end })}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

function titleOf(ticket: Pick<Ticket, 'start' | 'end'>, now: number): string {
  const { start = now, end = now } = windowOf(ticket, now)
  return windowText(start, end)
}

/** How many nodes, and when. */
export function WindowFields(props: Pick<TicketFieldsProps, 'ticket' | 'change' | 'problems' | 'now'>) {
  const { ticket, change, problems, now } = props
  const { start, end } = windowOf(ticket, now)
  return (
    <>
      <Field label="Start" wrong={problems.start} hint={ticket.start === 'now' ? 'The running minute.' : undefined}>
        <TimeField
          kind="moment"
          now={now}
          value={start}
          onChange={(at) => change(withStart(ticket, at === undefined ? '' : String(at), now))}
        />
      </Field>
      <Field label="End" wrong={problems.end}>
        <TimeField
          kind="moment"
          now={now}
          value={end}
          onChange={(at) => change({ end: at === undefined ? '' : String(at) })}
        />
      </Field>
      <Field label="Nodes" wrong={problems.nodes}>
        <input
          inputMode="numeric"
          value={ticket.nodes}
          maxLength={5}
          autoComplete="off"
          onChange={({ target }) => change({ nodes: target.value.trim() })}
        />
      </Field>
      <LengthField ticket={ticket} change={change} now={now} />
    </>
  )
}

/** The length of the window, as a second way to give its end. */
function LengthField({ ticket, change, now }: Pick<TicketFieldsProps, 'ticket' | 'change' | 'now'>) {
  const [typed, setTyped] = useState<string>()
  const seconds = lengthOfWindow(ticket, now)
  const length = seconds === undefined ? '' : lengthOf(seconds)
  const isWrong = typed !== undefined && typed !== '' && readLength(typed.trim()) === undefined
  const type = (text: string) => {
    setTyped(text)
    const next = readLength(text.trim())
    if (next !== undefined) change({ end: endAfter(ticket.start, next) })
  }
  return (
    <Field label="Length" hint={isWrong ? 'Such as 90m, 6h, 1d 12h.' : undefined}>
      <input
        value={typed ?? length}
        maxLength={30}
        autoComplete="off"
        onChange={({ target }) => type(target.value)}
        onBlur={() => setTyped(undefined)}
      />
    </Field>
  )
}

type SwitchProps = { label: string; text: string; value: string; onChange: (value: string) => void }

/** A box to tick, with what it means. */
export function Switch({ label, text, value, onChange }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <input type="checkbox" checked={value === '1'} onChange={({ target }) => onChange(target.checked ? '1' : '')} />
      <span>
        <b>{label}</b> <span className="quiet small">{text}</span>
      </span>
    </label>
  )
}
