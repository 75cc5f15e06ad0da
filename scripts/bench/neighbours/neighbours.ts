/**
 * What ten quiet accounts notice of one that does its worst. Rounds without and with the attack alternate on one server
 * in production mode. The rows show the p99 of the quiet accounts, and the memory of the server.
 */
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import { createAdminToken, makeAccount } from '../../../packages/server/src/iam/accounts/accounts.service.ts'
import type { Server } from '../../../packages/server/src/server.ts'
import { type Child, type ServerChild, startChild } from '../child.ts'
import { makePlace } from '../event-world.ts'
import type { Row } from '../row.ts'
import { attacksOf } from './attacks.ts'
import type { QuietAccount } from './quiet-program.ts'

type Quiet = Child<unknown, { readonly times: readonly number[] }>
type Attacker = Child<unknown, { readonly answers: number }>
type Programs = { readonly server: ServerChild; readonly quiet: Quiet; readonly attacker: Attacker }

const quietAccounts = 10
/** Four tokens reach the rate limits of an account. */
const attackTokens = 4
const rounds = 6
const roundMilliseconds = 1_500
const warmUpMilliseconds = 3_000
/** With the attack, the p99 may be this many times that without. */
const p99Goal = 1.5
const memoryGoal = 100

/** One row for each attack, and one for the memory of the server. */
export async function* neighbourRows(wanted: (name: string) => boolean): AsyncGenerator<Row> {
  const names = Object.keys(attacksOf([])).filter((name) => wanted(`neighbours_${name}`))
  if (names.length === 0 && !wanted('neighbours_memory_mb')) return
  await using place = await makePlace({ pinned: false, mode: 'production' })
  const { accounts, tokens } = await place.prepare(makeAccounts)
  await using server = await place.serve('neighbours/server-program.ts')
  const { port } = server.ready
  await using quiet: Quiet = await startChild('neighbours/quiet-program.ts', { port, accounts })
  await using attacker: Attacker = await startChild('neighbours/attack-program.ts', { port, tokens })
  await quiet.ask({ milliseconds: warmUpMilliseconds })
  const before = await megabytesOf(server)
  let most = before
  for (const name of names) {
    const { row, megabytes } = await compare(name, { server, quiet, attacker })
    most = Math.max(most, megabytes)
    yield row
  }
  const growth = most - before
  const met = growth <= memoryGoal
  yield { name: 'neighbours_memory_mb', ours: most, against: before, ratio: growth, goal: memoryGoal, met }
}

async function compare(name: string, { server, quiet, attacker }: Programs): Promise<{ row: Row; megabytes: number }> {
  const without: number[] = []
  const during: number[] = []
  let megabytes = 0
  for (let round = 0; round < rounds; round++) {
    without.push(...(await quiet.ask({ milliseconds: roundMilliseconds })).times)
    const attacking = attacker.ask({ attack: name, milliseconds: roundMilliseconds })
    during.push(...(await quiet.ask({ milliseconds: roundMilliseconds })).times)
    megabytes = Math.max(megabytes, await megabytesOf(server))
    await attacking
  }
  const [ours, against] = [p99Of(during), p99Of(without)]
  const ratio = ours / against
  const row = { name: `neighbours_${name}`, ours, against, ratio, goal: p99Goal, met: ratio <= p99Goal }
  return { row, megabytes }
}

function p99Of(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)] as number
}

async function megabytesOf(server: ServerChild): Promise<number> {
  return (await server.ask({})).rss / 2 ** 20
}

async function makeAccounts({ runtime, url }: Server): Promise<{ accounts: QuietAccount[]; tokens: string[] }> {
  const accounts: QuietAccount[] = []
  for (let number = 0; number < quietAccounts; number++) {
    const [token = ''] = await makeTokens(runtime, `quiet-${number}`, 1)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/preview/v2/firewalls`, { method: 'POST', headers, body: '{}' })
    if (!response.ok) throw new Error(`A firewall was not created: ${await response.text()}`)
    accounts.push({ token, firewall: ((await response.json()) as { id: string }).id })
  }
  return { accounts, tokens: await makeTokens(runtime, 'greedy', attackTokens) }
}

async function makeTokens(runtime: Server['runtime'], account_id: string, count: number): Promise<string[]> {
  const { workspace_id } = await systemCommand(runtime, (ctx) =>
    makeAccount(ctx, { id: account_id, trust_level: 'trusted' }),
  )
  const tokens: string[] = []
  for (let number = 0; number < count; number++) {
    const wanted = { account_id, workspace_id, name: `bench-${number}` }
    tokens.push((await systemCommand(runtime, (ctx) => createAdminToken(ctx, wanted))).token)
  }
  return tokens
}
