/** The price of an order: its limit for a node-hour and for a GPU-hour, and what happens to what it does not get. */
import type { PriceLevel, Sku } from '@bourse/sdk'
import { moneyText } from '@bourse/text/formats/short.ts'
import { useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { partsOf, priceText } from '../board/board.rules.ts'
import { gpuOfLimit, limitOfGpu, typedLimit } from './limit.rules.ts'
import styles from './ticket.module.css'
import { isRun } from './ticket.rules.ts'
import { Switch, type TicketFieldsProps } from './ticket-fields.tsx'

type PriceFieldsProps = Omit<TicketFieldsProps, 'skus' | 'pools' | 'now' | 'images'> & {
  sku: Sku | undefined
  isShort: boolean
}

/** The limit, with the best prices beside it, and what happens to the rest. */
export function PriceFields({ ticket, change, problems, quote, sku, isShort }: PriceFieldsProps) {
  const gpus = sku ? partsOf(sku, 'gpu') : 1
  return (
    <>
      <LimitField ticket={ticket} change={change} problems={problems} isShort={isShort} />
      {gpus > 1 ? <GpuLimitField ticket={ticket} change={change} gpus={gpus} /> : null}
      <div className={styles.quotes} data-wide={gpus > 1}>
        <Quote name="Best bid" level={quote?.best_bid} gpus={gpus} onTake={(limit) => change({ limit })} />
        <Quote name="Best ask" level={quote?.best_ask} gpus={gpus} onTake={(limit) => change({ limit })} />
      </div>
      {isRun(ticket) ? null : (
        <>
          <Switch
            label="Standing"
            text={
              isShort
                ? 'The rest waits on the book.'
                : 'What is not filled at once waits on the order book until its window has passed, or you cancel it.'
            }
            value={ticket.standing}
            onChange={(standing) => change({ standing })}
          />
          <Switch
            label="Partial"
            text={
              isShort
                ? 'A part will do.'
                : 'Fewer nodes or a part of the window will do. Without it the order is filled whole or not at all.'
            }
            value={ticket.partial}
            onChange={(partial) => change({ partial })}
          />
        </>
      )}
    </>
  )
}

/** The limit for a node-hour, which the order has. */
function LimitField({ ticket, change, problems, isShort }: Omit<PriceFieldsProps, 'quote' | 'sku'>) {
  const word = ticket.side === 'sell' ? 'least' : 'most'
  return (
    <Field
      label="Limit price, $/node-h"
      wrong={problems.limit}
      hint={
        ticket.limit === ''
          ? `${isShort ? '' : `The ${word} for an hour of a node. `}Empty: the present price.`
          : undefined
      }
    >
      <input
        inputMode="decimal"
        value={ticket.limit}
        maxLength={16}
        autoComplete="off"
        onChange={({ target }) => change({ limit: priceIn(target.value) })}
      />
    </Field>
  )
}

/** A price as it was typed, without what stands around it. */
function priceIn(text: string): string {
  return text.trim().replace(/^\$/, '')
}

type GpuLimitProps = Pick<PriceFieldsProps, 'ticket' | 'change'> & { gpus: number }

/** The limit for a GPU-hour, as a second way to give it: the board has its prices in these. */
function GpuLimitField({ ticket: { limit }, change, gpus }: GpuLimitProps) {
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && typed !== '' && limitOfGpu(typed, gpus) === undefined
  const type = (text: string) => {
    setTyped(text)
    const next = text === '' ? '' : limitOfGpu(text, gpus)
    if (next !== undefined) change({ limit: next })
  }
  return (
    <Field
      label="Limit, $/GPU-h"
      wrong={isWrong ? 'Write dollars per GPU-hour with at most six decimals: 1.95.' : undefined}
    >
      <input
        inputMode="decimal"
        value={typed ?? gpuOfLimit(limit, gpus)}
        maxLength={16}
        autoComplete="off"
        onChange={({ target }) => type(priceIn(target.value))}
        onBlur={() => setTyped(undefined)}
      />
    </Field>
  )
}

type QuoteProps = {
  name: string
  level: PriceLevel | null | undefined
  gpus: number
  onTake: (price: string) => void
}

function Quote({ name, level, gpus, onTake }: QuoteProps) {
  const price = level?.price_dollars_per_node_hour
  if (price === undefined) return <span className="quiet small">{name} –</span>
  return (
    <button type="button" title={`Take $${price} as the limit`} onClick={() => onTake(typedLimit(price))}>
      {name} {moneyText(price)}
      {gpus > 1 ? <span className="quiet small"> {priceText(price, gpus)}/GPU-h</span> : null}
    </button>
  )
}
