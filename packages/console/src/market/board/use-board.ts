/** Reads the board, which all pages share. */
import { client } from '../../live/client.ts'
import { useRead } from '../../live/queries.ts'

/** Nothing tells that prices of others have changed. */
const every = 4_000

/** One request for all rows: those of some SKUs, or without them the board's own choice. */
export function useBoard(skus: readonly string[] | undefined) {
  return useRead(
    ['orderbook', 'board', skus ?? 'all'],
    (signal) => client.orderbookBoard.get(skus === undefined ? {} : { sku: skus as `sku_${string}`[] }, { signal }),
    { every, keepsLast: true, enabled: skus === undefined || skus.length > 0 },
  )
}
