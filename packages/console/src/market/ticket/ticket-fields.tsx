/** The fields of the ticket. */
import type { OrderbookQuote, Pool, PriceLevel, Sku } from '@bourse/sdk'
import { lengthOf } from '@bourse/text/formats/durations.ts'
import { moneyText } from '@bourse/text/formats/short.ts'
import { useState } from 'react'
import { client } from '../../live/client.ts'
import { useAction } from '../../live/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Field } from '../../ui/field.tsx'
import { poolsFor, skuLine, skuName } from '../sku.rules.ts'
import styles from './ticket.module.css'
import { localText, type Problems, secondsOf, secondsText, type Ticket, withTyped } from './ticket.rules.ts'
import { readLength, readTypedOrder, typedForms } from './typed-order.rules.ts'
import { useSettled } from './use-estimate.ts'

export type TicketFieldsProps = {
  ticket: Ticket
  change: (change: Partial<Ticket>) => void
  problems: Problems
  skus: readonly Sku[]
  pools: readonly Pool[]
  quote: OrderbookQuote | undefined
  now: number
}

/** Milliseconds after the last key until a text counts as wrong: half a word is not. */
const wrongAfter = 700

/** An order in words: what it names is filled in below as it is typed. */
export function TypedField({ ticket, change, skus, now }: Omit<TicketFieldsProps, 'problems' | 'pools' | 'quote'>) {
  const aliases = skus.map(({ alias }) => alias).filter(Boolean)
  const read = (text: string) => readTypedOrder(text, { now, aliases })
  const settled = useSettled(ticket.text, wrongAfter)
  const reading = settled === ticket.text ? read(settled) : undefined
  const type = (text: string) => {
    const typed = read(text)
    const skuOf = (alias: string) => skus.find((sku) => sku.alias === alias)?.id ?? alias
    change({ ...('order' in typed ? withTyped(ticket, typed.order, skuOf) : {}), text })
  }
  return (
    <Field
      label="Type an order"
      hint={typedForms}
      wrong={reading && 'problem' in reading ? reading.problem : undefined}
    >
      <input
        value={ticket.text}
        onChange={({ target }) => type(target.value)}
        placeholder="8 nodes tomorrow 9am for 6h"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
      />
    </Field>
  )
}

/** Buy or sell, what, and for which pool. */
export function WhatFields({ ticket, change, problems, skus, pools }: Omit<TicketFieldsProps, 'quote' | 'now'>) {
  const offered = poolsFor(pools, ticket.side, ticket.sku)
  const setSide = (side: string) => {
    const isStill = poolsFor(pools, side, ticket.sku).some(({ id }) => id === ticket.pool)
    change({ side, ...(isStill ? {} : { pool: '' }) })
  }
  const hint = ticket.side === 'sell' ? 'The pool that owns the nodes.' : 'The pool that gets the nodes.'
  return (
    <>
      <fieldset className={styles.side}>
        <legend>Side</legend>
        {['buy', 'sell'].map((side) => (
          <label key={side} data-side={side}>
            <input
              type="radio"
              name="side"
              value={side}
              checked={ticket.side === side}
              onChange={() => setSide(side)}
            />
            {side === 'buy' ? 'Buy' : 'Sell'}
          </label>
        ))}
      </fieldset>
      <Field label="SKU" wrong={problems.sku}>
        <select value={ticket.sku} onChange={({ target }) => change({ sku: target.value })}>
          {skus.some(({ id }) => id === ticket.sku) ? null : <option value={ticket.sku}>{ticket.sku || '–'}</option>}
          {skus.map((sku) => (
            <option key={sku.id} value={sku.id}>
              {skuName(sku)} {skuLine(sku) && `(${skuLine(sku)})`}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Pool" wrong={problems.pool} hint={hint}>
        <select value={ticket.pool} onChange={({ target }) => change({ pool: target.value })}>
          {offered.some(({ id }) => id === ticket.pool) ? null : (
            <option value={ticket.pool}>{ticket.pool || '–'}</option>
          )}
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
    <div>
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

/** How many nodes, and when. */
export function WindowFields({ ticket, change, problems }: Pick<TicketFieldsProps, 'ticket' | 'change' | 'problems'>) {
  const setStart = (start: string) => {
    const [old, end, next] = [secondsOf(ticket.start), secondsOf(ticket.end), secondsOf(start)]
    const moves = old !== undefined && end !== undefined && next !== undefined && end > old
    change({ start, ...(moves ? { end: String(next + end - old) } : {}) })
  }
  return (
    <>
      <Field label="Start" wrong={problems.start}>
        <input
          type="datetime-local"
          value={localText(ticket.start)}
          onChange={({ target }) => setStart(secondsText(target.value, ticket.start))}
        />
      </Field>
      <Field label="End" wrong={problems.end}>
        <input
          type="datetime-local"
          value={localText(ticket.end)}
          onChange={({ target }) => change({ end: secondsText(target.value, ticket.end) })}
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
      <LengthField ticket={ticket} change={change} />
    </>
  )
}

/** The length of the window, as a second way to give its end. */
function LengthField({ ticket, change }: Pick<TicketFieldsProps, 'ticket' | 'change'>) {
  const [typed, setTyped] = useState<string>()
  const [start, end] = [secondsOf(ticket.start), secondsOf(ticket.end)]
  const length = start !== undefined && end !== undefined && end > start ? lengthOf(end - start) : ''
  const isWrong = typed !== undefined && typed !== '' && readLength(typed.trim()) === undefined
  const type = (text: string) => {
    setTyped(text)
    const seconds = readLength(text.trim())
    if (seconds !== undefined && start !== undefined) change({ end: String(start + seconds) })
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

/** The limit, with the best prices beside it, and what happens to the rest. */
export function PriceFields({ ticket, change, problems, quote }: Omit<TicketFieldsProps, 'skus' | 'pools' | 'now'>) {
  const word = ticket.side === 'sell' ? 'least' : 'most'
  return (
    <>
      <Field
        label="Limit price"
        wrong={problems.limit}
        hint={`The ${word} for a node for an hour, in dollars. Empty: the present price of the order book.`}
      >
        <input
          inputMode="decimal"
          value={ticket.limit}
          maxLength={16}
          autoComplete="off"
          onChange={({ target }) => change({ limit: target.value.trim() })}
        />
      </Field>
      <div className={styles.quotes}>
        <Quote name="Best bid" level={quote?.best_bid} onTake={(limit) => change({ limit })} />
        <Quote name="Best ask" level={quote?.best_ask} onTake={(limit) => change({ limit })} />
      </div>
      <Switch
        label="Standing"
        text="What is not filled at once waits on the order book until its window has passed, or you cancel it."
        value={ticket.standing}
        onChange={(standing) => change({ standing })}
      />
      <Switch
        label="Partial"
        text="Fewer nodes or a part of the window will do. Without it the order is filled whole or not at all."
        value={ticket.partial}
        onChange={(partial) => change({ partial })}
      />
    </>
  )
}

type QuoteProps = { name: string; level: PriceLevel | null | undefined; onTake: (price: string) => void }

function Quote({ name, level, onTake }: QuoteProps) {
  const price = level?.price_dollars_per_node_hour
  if (price === undefined) return <span className="quiet small">{name} –</span>
  return (
    <button type="button" title={`Take $${price} as the limit`} onClick={() => onTake(price.replace(/\.?0+$/, ''))}>
      {name} {moneyText(price)}
    </button>
  )
}

type SwitchProps = { label: string; text: string; value: string; onChange: (value: string) => void }

function Switch({ label, text, value, onChange }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <input type="checkbox" checked={value === '1'} onChange={({ target }) => onChange(target.checked ? '1' : '')} />
      <span>
        <b>{label}</b> <span className="quiet small">{text}</span>
      </span>
    </label>
  )
}
