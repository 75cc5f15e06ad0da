/** An order that is typed into the palette, as choices that open the ticket with it. Pure, but for the time zone. */

import { moneyText } from '@bourse/text/formats/short.ts'
import { microsOf, printDollars } from '@bourse/text/money.ts'
import { changesOf, emptyTicket, windowOf, withTyped } from '../market/ticket/ticket.rules.ts'
import { readTypedOrder, type TypedOrder, typedForms } from '../market/ticket/typed-order.rules.ts'
import { momentText } from '../ui/values.rules.ts'
import type { PaletteChoice } from './palette.rules.ts'

/** What the palette has to know of a SKU. */
export type OrderedSku = { readonly id: string; readonly name: string; readonly accelerators: number }

/** Choices, or why a text that begins like an order is none. Neither for other texts. */
export type PaletteOrders = { readonly choices: readonly PaletteChoice[]; readonly problem?: string }

type OrderContext = { readonly now: number; readonly skus: readonly OrderedSku[] }

/** SKUs that one beginning may stand for. */
const skusMax = 3
const looksLikeOrder = /^(buy|sell)\s+\d|^\d{1,5}\s*(x|×|nodes?\b|[a-z])/i
const perAccelerator = /(\$\d[\d,.]*)\s*(?:\/|per )\s*gpu(?:-?h(?:our)?)?(?= |$)/i

/** A count of nodes and the beginning of a SKU. */
const counted = /(?<=^|\s)(\d{1,5})\s*(?:nodes?\s+of\s+)?([a-z][\w.-]*)/i

/** Reads `8 h100 tomorrow 9am for 6h under $2.20`. A beginning stands for each SKU that has it. */
export function orderChoices(text: string, { now, skus }: OrderContext): PaletteOrders {
  const typed = text.trim()
  if (!looksLikeOrder.test(typed)) return { choices: [] }
  const plain = typed.replace(/ (?:under|below|max) (?=\$?\d)/i, ' at most ')
  const isPerAccelerator = perAccelerator.test(plain)
  const priced = plain.replace(perAccelerator, '$1')
  const [, count = '', word = ''] = counted.exec(priced) ?? []
  const meant = skus.filter(({ name }) => name.toLowerCase().startsWith(word.toLowerCase())).slice(0, skusMax)
  const isSku = word !== '' && !/^(nodes?|x)$/i.test(word) && meant.length > 0
  const readings = (isSku ? meant : [undefined]).map((sku) => {
    const named = sku ? priced.replace(counted, nodesOf(count, sku)) : priced
    return readTypedOrder(named, { now, aliases: skus.map(({ name }) => name) })
  })
  const orders = readings.flatMap(({ order, problem }) => (problem === undefined ? [order] : []))
  const [problem] = readings.flatMap((reading) => reading.problem ?? [])
  if (orders.length === 0) return { choices: [], problem: problem ?? typedForms }
  return { choices: orders.flatMap((order) => choicesOf(order, { now, skus, isPerAccelerator })) }
}

function nodesOf(count: string, { name }: OrderedSku): string {
  return `${count} nodes of ${name}`
}

/** A price without a unit may be one of an accelerator or of a node: both are offered, the usual one of pages first. */
function choicesOf(order: TypedOrder, present: OrderContext & { readonly isPerAccelerator: boolean }): PaletteChoice[] {
  const sku = present.skus.find(({ name }) => name === order.sku)
  const { limit } = order
  const choice = (limits: Pick<TypedOrder, 'limit'>, price: string): PaletteChoice => {
    const { now, skus } = present
    const skuOf = (name: string) => skus.find((one) => one.name === name)?.id ?? ''
    const ticket = withTyped(emptyTicket, { ...order, ...limits }, { now, skuOf })
    const { start = now, end = now } = windowOf(ticket, now)
    return {
      kind: 'order',
      title: `${sentenceOf(order, start, end)}${price}`,
      to: '/ticket',
      search: { side: ticket.side, nodes: ticket.nodes, ...changesOf(ticket) },
    }
  }
  const bound = order.side === 'sell' ? 'at least' : 'at most'
  if (limit === undefined) return [choice({}, '')]
  const ofNode = choice({ limit }, `, ${bound} ${moneyText(limit)} a node-hour`)
  if (!sku || sku.accelerators < 2) return [ofNode]
  const whole = printDollars(microsOf(limit) * BigInt(sku.accelerators))
  const ofAccelerator = choice(
    { limit: whole },
    `, ${bound} ${moneyText(limit)} a GPU-hour (${moneyText(whole)} a node)`,
  )
  return present.isPerAccelerator ? [ofAccelerator] : [ofAccelerator, ofNode]
}

function sentenceOf({ side, nodes, sku }: TypedOrder, start: number, end: number): string {
  const verb = side === 'sell' ? 'Sell' : 'Buy'
  const what = `${nodes ?? 1} ${nodes === 1 || nodes === undefined ? 'node' : 'nodes'}${sku ? ` of ${sku}` : ''}`
  return `${verb} ${what}, ${momentText(start)} – ${momentText(end)}`
}
