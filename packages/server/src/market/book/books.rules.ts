import type { Id } from '@bourse/api/kit/ids.ts'

/** The row of a book, with what its SKU and the market say about it. */
export type BookRow = {
  sku_id: Id<'sku'>
  alias: string
  simulated: boolean
  /** Tells this row from one of the same SKU in an earlier world of a sandbox. */
  born: number
  version: number
  last_seq: number
  decided_at: number
  halted: boolean
  halt_message: string | null
  hourly_fee_micros: bigint
  fee_bps: number
  price_step_micros: bigint
  is_retired: boolean
}
