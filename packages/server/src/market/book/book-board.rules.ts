// What a board shows of a book: the best prices now, and the offers of the hours ahead.

import { walkSide } from './book-index.rules.ts'
import type { Book } from './book-state.rules.ts'
import { bestPrices } from './book-views.rules.ts'
import { bestPricesIn, offeredIn, type Windows } from './book-windows.rules.ts'
import type { MinuteWindow } from './matching.rules.ts'
import type { Order, Side } from './resting-order.rules.ts'

/** The same for all accounts, so one reading serves all of them. */
export type BoardView = {
  readonly best: Readonly<Record<Side, bigint | undefined>>
  readonly asks: readonly (bigint | undefined)[]
  /** Nodes in every minute of each window, those of all accounts. */
  readonly offered: readonly number[]
  /** The accounts that offer some of them. For each of these, the nodes of others are fewer. */
  readonly sellers: ReadonlySet<string>
}

/** The minutes of which the best prices are those of now. */
const nowMinutes = 60

/** Reads a book for a board. The windows begin at the running minute. */
export function boardViewOf<O extends Order>(book: Book<O>, windows: Windows): BoardView {
  const { from } = windows[0] as MinuteWindow
  const sellers = new Set<string>()
  const { to } = windows.at(-1) as MinuteWindow
  walkSide(book.sides.sell, { from, to, worst: Number.POSITIVE_INFINITY }, ({ account_id }) => {
    sellers.add(account_id)
    return true
  })
  return {
    best: bestPrices(book, { from, to: from + nowMinutes }),
    asks: bestPricesIn(book, 'sell', windows),
    offered: offeredIn(book, windows, undefined),
    sellers,
  }
}
