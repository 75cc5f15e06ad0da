/** What is traded: SKUs by name, with what they are and what a GPU-hour of them costs in a second line. */
import { createElement } from 'react'
import { client } from '../../live/client.ts'
import { useRead } from '../../live/queries.ts'
import { Field } from '../../ui/field.tsx'
import { partsOf, priceText, unitText } from '../board/board.rules.ts'
import { skuLine, skuName } from '../sku.rules.ts'
import styles from './ticket.module.css'
import type { TicketFieldsProps } from './ticket-fields.tsx'

type SkuFieldProps = Pick<TicketFieldsProps, 'ticket' | 'change' | 'problems' | 'skus'>

/** The field. A browser that draws its lists by itself shows each SKU in one line. */
export function SkuField({ ticket, change, problems, skus }: SkuFieldProps) {
  const chosen = skus.find(({ id }) => id === ticket.sku)
  const prices = usePrices()
  return (
    <Field label="SKU" wrong={problems.sku} hint={chosen && skuLine(chosen)}>
      <select className={styles.skus} value={ticket.sku} onChange={({ target }) => change({ sku: target.value })}>
        {/* The closed field holds a copy of the chosen option, which the browser makes. */}
        <button type="button">{createElement('selectedcontent')}</button>
        {chosen ? null : <option value={ticket.sku}>{ticket.sku || '–'}</option>}
        {skus.map((sku) => (
          <option key={sku.id} value={sku.id}>
            <b>{skuName(sku)}</b>{' '}
            <small>
              {[skuLine(sku), prices.get(sku.id)].filter((part) => part !== undefined && part !== '').join(' · ')}
            </small>
          </option>
        ))}
      </select>
    </Field>
  )
}

/** What an hour costs now, by SKU. */
function usePrices(): ReadonlyMap<string, string> {
  const { data } = useRead(
    ['orderbook', 'board', 'prices'],
    (signal) => client.orderbookBoard.get({ hours: 1 }, { signal }),
    { every: 60_000 },
  )
  const rows = data?.rows ?? []
  return new Map(
    rows.flatMap(({ sku, best_ask_dollars_per_node_hour: ask }): [string, string][] =>
      ask === null ? [] : [[sku.id, `${priceText(ask, partsOf(sku, 'gpu'))}${unitText(sku, 'gpu')}`]],
    ),
  )
}
