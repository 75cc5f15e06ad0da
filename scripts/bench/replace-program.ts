/**
 * The load of the row replace_16: callers that replace instances over HTTP, and connections that insert single rows.
 * Writes one line for each job that it reads.
 */
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { DatabaseTarget } from '../../packages/server/src/core/db/database-target.ts'
import { converse } from './conversation.ts'
import type { ReplaceAccount } from './replace.ts'

type ReplaceJob = { readonly kind: 'replace' | 'insert'; readonly port: number; readonly milliseconds: number }
type ReplaceOptions = { readonly target: DatabaseTarget; readonly accounts: ReplaceAccount[]; readonly callers: number }

const { target, accounts, callers } = JSON.parse(process.argv[2] as string) as ReplaceOptions
const living = new Map(accounts.map(({ instance, token }) => [token, instance]))
const clients = await Promise.all(Array.from({ length: callers }, () => connect()))
await clients[0]?.query('create table bench_rows (id bigint generated always as identity primary key, value text)')

console.log('{}')
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line) as ReplaceJob
  const until = performance.now() + job.milliseconds
  const started = performance.now()
  const counts = await Promise.all(
    clients.map((client, i) => (job.kind === 'insert' ? insert(client, until) : replace(job.port, i, until))),
  )
  const seconds = (performance.now() - started) / 1000
  const responses = counts.reduce((sum, count) => sum + count, 0)
  console.log(JSON.stringify({ responses, figure: responses / seconds }))
}
await Promise.all(clients.map((client) => client.end()))

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(target)
  await client.connect()
  return client
}

async function insert(client: pg.Client, until: number): Promise<number> {
  let count = 0
  do {
    await client.query({ name: 'insert', text: 'insert into bench_rows (value) values ($1)', values: ['x'] })
    count += 1
  } while (performance.now() < until)
  return count
}

/** One caller. The accounts are divided among the callers, so that no two callers use one instance. */
async function replace(port: number, caller: number, until: number): Promise<number> {
  const own = accounts.filter((_account, i) => i % callers === caller)
  const conversation = await converse(port)
  let count = 0
  do {
    const { token, image } = own[count % own.length] as ReplaceAccount
    const made = JSON.parse(await conversation.ask(requestOf(living.get(token) as string, token, image)))
    living.set(token, made.id)
    count += 1
  } while (performance.now() < until)
  conversation.close()
  return count
}

function requestOf(instance: string, token: string, image: string): string {
  const body = JSON.stringify({ image })
  const head = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`
  return `POST /v2/instances/${instance}/replace HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
