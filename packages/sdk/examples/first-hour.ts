/** What does one node cost for the next hour? */
import { createClient } from '@bourse/sdk'

const client = createClient() // BOURSE_BASE_URL and BOURSE_API_TOKEN
const { server } = await client.account.get()
const start_at = Math.ceil((server.now + 1) / 60) * 60
for await (const { id, alias } of client.skus.list()) {
  const wanted = { side: 'buy', sku: id, start_at, duration_seconds: 3600, node_count: 1 } as const
  const quote = await client.orders.estimate(wanted)
  console.log(`${alias}: ${quote.post_order_body ? `$${quote.total_dollars}` : quote.reason}`)
}
