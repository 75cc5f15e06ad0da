/**
 * Buys an hour of one node, runs an instance in it and ends it again. Prints what it costs before it buys.
 *
 * Usage: node buy-and-run.ts <SKU alias> <most dollars to spend>
 */
import { ApiError, createClient } from '@bourse/sdk'

const [alias, most] = process.argv.slice(2)
const client = createClient()

try {
  const sku = (await client.skus.list().all()).find((one) => one.alias === alias)
  const [image] = await client.images.list({ state: 'completed' }).all({ max: 1 })
  if (!sku || !image) throw new Error(`There is no SKU ${alias}, or no image.`)

  const { server } = await client.account.get()
  const start_at = Math.ceil((server.now + 1) / 60) * 60
  const wanted = { side: 'buy', sku: sku.id, start_at, duration_seconds: 3600, node_count: 1 } as const
  const quote = await client.orders.estimate(wanted)
  if (!quote.post_order_body) throw new Error(`Nothing is offered: ${quote.reason}.`)
  console.log(`One node for an hour costs $${quote.total_dollars}.`)
  if (Number(quote.total_dollars) > Number(most)) throw new Error(`That is more than $${most}.`)

  const pool = await client.pools.create({})
  const order = await client.orders.create({ ...quote.post_order_body, pool: pool.id })
  const traded = await client.orders.waitUntil(order.id, ['filled', 'cancelled'])
  if (traded.state !== 'filled') throw new Error('The offer was gone. Nothing was bought.')
  console.log(`Bought ${order.id}.`)

  const instance = await client.instances.create({ pool: pool.id, sku: sku.id, image: image.id })
  console.log(`Created ${instance.id}; it starts at ${new Date(start_at * 1000).toISOString()}.`)
  const running = await client.instances.waitUntil(instance.id, 'running', { timeout: 300_000 })
  console.log(`${running.name} runs.`)

  await client.instances.terminate(instance.id)
  console.log('Terminated. What is left of the hour stays in the pool.')
} catch (error) {
  if (error instanceof ApiError) console.error(error.message, ...error.suggestions, `(request ${error.requestId})`)
  else console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
