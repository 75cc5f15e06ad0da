/** What the address of the board holds: which SKUs, which one is open, and what of it is shown. Pure. */
import type { OrderbookBoardRow, Sku, SkuId } from '@bourse/sdk'
import { hourSeconds, minuteSeconds } from '@bourse/text/time/units.ts'
import { findSku, fittingSkus } from '../sku.rules.ts'

/** What an address without parameters means. */
export const boardDefaults = {
  sku: '',
  find: '',
  unit: 'gpu',
  view: '',
  as: '',
  start: '',
  minutes: '60',
  history: '7d',
  length: '60',
  nodes: '1',
}

/** What the address holds. */
export type BoardAddress = typeof boardDefaults
/** Changes the address; with `push`, Back returns to what was before. */
export type ChangeBoardAddress = (change: Partial<BoardAddress>, options?: { push?: boolean }) => void

/** Lengths of windows to choose from, in minutes. */
export const windowLengths = {
  60: '1 hour',
  120: '2 hours',
  240: '4 hours',
  480: '8 hours',
  1440: '1 day',
  10080: '7 days',
} as const

/** SKUs of one board, at most. */
const boardMax = 32

/** The SKUs that the board is asked for: undefined for its own choice. */
export function shownSkus(skus: readonly Sku[], { find, sku }: BoardAddress): readonly string[] | undefined {
  const chosen = sku === '' ? undefined : findSku(skus, sku)
  if (find.trim() !== '')
    return fittingSkus(skus, find)
      .slice(0, boardMax)
      .map(({ id }) => id)
  // A SKU that the first rows do not have is shown by itself.
  return chosen && skus.indexOf(chosen) >= boardMax ? [chosen.id] : undefined
}

/** The row whose book is open: that of the address, or else the first one. */
export function openRowOf(rows: readonly OrderbookBoardRow[], given: string): OrderbookBoardRow | undefined {
  if (given === '') return rows[0]
  return rows.find(({ sku }) => sku.id === given) ?? rows.find(({ sku }) => sku.alias !== '' && sku.alias === given)
}

/** The number of nodes of the address, within what one order may have. */
export function nodesOf({ nodes }: Pick<BoardAddress, 'nodes'>): number {
  return Math.min(10_000, Math.max(1, Math.floor(Number(nodes)) || 1))
}

/** What a book is read for. */
export type BookWindow = { readonly sku: SkuId; readonly start: number; readonly end: number }

/** The window of the address, or else the next full hour. */
export function bookWindow({ start: given, minutes }: BoardAddress, sku: SkuId, now: number): BookWindow {
  const next = Math.floor(now / hourSeconds) * hourSeconds + hourSeconds
  const start = /^\d{1,11}$/.test(given) && Number(given) % minuteSeconds === 0 ? Number(given) : next
  return { sku, start, end: start + (minutes in windowLengths ? Number(minutes) : 60) * 60 }
}
