/**
 * The load of the order rows: callers that place orders over HTTP, and connections that insert single rows. Writes one
 * line for each job that it reads.
 */
import { createInterface } from 'node:readline'
import pg from 'pg'
import { createSeededRandom } from '../../../packages/server/src/core/base/random.ts'
import type { DatabaseTarget } from '../../../packages/server/src/core/db/database-target.ts'
import { type Conversation, converse } from '../conversation.ts'
import type { OrdersLoad } from './orders.ts'
import type { Trader, Traders } from './traders.ts'

type OrdersJob = {
  /** Orders are placed by accounts without budgets, or with one each. */
  readonly kind: 'order' | 'budgeted_order' | 'insert'
  readonly callers: number
  readonly port: number
  readonly milliseconds: number
}
type OrdersOptions = { readonly target: DatabaseTarget; readonly traders: Traders; readonly connections: number }

const { target, traders, connections } = JSON.parse(process.argv[2] as string) as OrdersOptions
const random = createSeededRandom('orders')
const hour = 3600
const firstHour = Math.ceil(Date.now() / 1000 / hour) * hour + hour
const clients = await Promise.all(Array.from({ length: connections }, () => openClient()))
await clients[0]?.query('create table bench_rows (id bigint generated always as identity primary key, value text)')

/** The state of each caller between rounds: its connection to each server, and the next trader. */
const conversations = new Map<string, Conversation>()
const turns: (number | undefined)[] = []

console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line) as OrdersJob
  const until = performance.now() + job.milliseconds
  const started = performance.now()
  const times: number[] = []
  const callers = Array.from({ length: job.callers }, (_, i) => i)
  await Promise.all(callers.map((i) => (job.kind === 'insert' ? insert(i, until, times) : order(job, i, until, times))))
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const load: OrdersLoad = { calls: times.length, rate: times.length / seconds, p50: times[times.length >> 1] ?? 0 }
  console.log(JSON.stringify(load))
}
for (const conversation of conversations.values()) conversation.close()
await Promise.all(clients.map((client) => client.end()))

async function openClient(): Promise<pg.Client> {
  const client = new pg.Client(target)
  await client.connect()
  return client
}

async function insert(caller: number, until: number, times: number[]): Promise<void> {
  const client = clients[caller] as pg.Client
  do {
    const from = performance.now()
    await client.query({ name: 'insert', text: 'insert into bench_rows (value) values ($1)', values: ['x'] })
    times.push(performance.now() - from)
  } while (performance.now() < until)
}

async function order(
  { kind, port, callers }: OrdersJob,
  caller: number,
  until: number,
  times: number[],
): Promise<void> {
  const conversation = conversations.get(`${port} ${caller}`) ?? (await converse(port))
  conversations.set(`${port} ${caller}`, conversation)
  const own = kind === 'order' ? traders.plain : traders.budgeted
  let next = turns[caller] ?? caller
  do {
    const from = performance.now()
    // A single caller alternates between a buyer and a seller; 64 callers use all accounts.
    const trader = own[next % (callers === 1 ? 2 : own.length)] as Trader
    next += 7
    await conversation.ask(requestOf(trader))
    times.push(performance.now() - from)
  } while (performance.now() < until)
  turns[caller] = next
}

/** An order for one node for an hour of the next day, at a price around the middle: about half of the orders match. */
function requestOf({ token, pool, side, sku }: Trader): string {
  const start_at = firstHour + random.integer(24) * hour
  const body = JSON.stringify({
    pool,
    sku,
    side,
    allow_standing: true,
    allow_partial: true,
    allocation_schedule_delta: [{ start_at, end_at: start_at + hour, node_count: 1 }],
    limit_price_dollars_per_node_hour: `${1 + random.integer(2)}.${String(random.integer(100)).padStart(2, '0')}`,
  })
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`
  return `POST /v2/orders HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
