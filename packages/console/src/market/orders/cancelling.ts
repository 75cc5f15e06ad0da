/** Cancels orders. */
import { ApiError, type OrderId } from '@bourse/sdk'
import { client } from '../../live/client.ts'

/** Cancels an order. One that an earlier try has cancelled, whose response was lost, counts as cancelled. */
export async function cancelOrder(id: OrderId): Promise<void> {
  try {
    await client.orders.cancel(id)
  } catch (error) {
    if (!(error instanceof ApiError && error.codes.includes('order_final'))) throw error
    if ((await client.orders.get(id)).state !== 'cancelled') throw error
  }
}
