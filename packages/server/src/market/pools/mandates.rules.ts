import type { Id } from '@bourse/api/kit/ids.ts'

/** An automation that trades for a pool and SKU. */
export type MandateHolder = Id<'procurement' | 'deployment'>

/** A pool and SKU that an automation trades for. */
export type MandatePlace = { readonly pool_id: Id<'pool'>; readonly sku_id: Id<'sku'> }

/** The mandate of a pool on one SKU. */
export type MandateRow = { readonly pool_id: Id<'pool'>; readonly holder_id: MandateHolder }
