/**
 * What ten quiet accounts notice of one that does its worst. Rounds without and with the attack alternate on one server
 * in production mode. The rows show the p99 of the quiet accounts, and the memory of the server.
 */
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import { createAdminToken } from '../../../packages/server/src/iam/accounts/accounts.service.ts'
import type { Server } from '../../../packages/server/src/server.ts'
import { call } from '../../../packages/server/test/support/big-fleet.ts'
import { bench } from '../bench.ts'
import { type Child, type ServerChild, startChild } from '../child.ts'
import { atMost, type BenchRow, rowOf } from '../row.ts'
import { makeBenchAccount } from '../worlds/accounts.ts'
import { makePlace } from '../worlds/event-world.ts'
import { attacksOf } from './attacks.ts'
import type { QuietAccount } from './quiet-program.ts'

type Quiet = Child<unknown, { readonly times: readonly number[] }>
type Attacker = Child<unknown, { readonly responses: number }>
type NeighbourPrograms = { readonly server: ServerChild; readonly quiet: Quiet; readonly attacker: Attacker }

const quietAccounts = 10
/** Four tokens reach the rate limits of an account. */
const attackTokens = 4
/** With the attack, the p99 may be this many times that without. */
const p99Goal = 1.5
const memoryGoal = 100

const attacks = Object.keys(attacksOf([]))

type NeighboursSize = {
  readonly rounds: number
  readonly round_milliseconds: number
  readonly warm_milliseconds: number
}

/** One row for each attack, and one for the memory of the server. */
export const neighboursBench = bench<NeighboursSize>({
  rows: [...attacks.map((name) => `neighbours_${name}`), 'neighbours_memory_mb'],
  sizes: {
    usual: { rounds: 6, round_milliseconds: 1_500, warm_milliseconds: 3_000 },
    tiny: { rounds: 1, round_milliseconds: 150, warm_milliseconds: 150 },
  },
  measure: async function* (size, wanted) {
    await using place = await makePlace({ pinned: false, mode: 'production' })
    const { accounts, tokens } = await place.prepare(makeAccounts)
    await using server = await place.serve('neighbours/server-program.ts')
    const { port } = server.ready
    await using quiet: Quiet = await startChild('neighbours/quiet-program.ts', { port, accounts })
    await using attacker: Attacker = await startChild('neighbours/attack-program.ts', { port, tokens })
    await quiet.ask({ milliseconds: size.warm_milliseconds })
    const before = await megabytesOf(server)
    let most = before
    for (const name of attacks.filter((name) => wanted(`neighbours_${name}`))) {
      const { row, megabytes } = await compare(name, size, { server, quiet, attacker })
      most = Math.max(most, megabytes)
      yield row
    }
    yield atMost('neighbours_memory_mb', most - before, memoryGoal)
  },
})

async function compare(
  name: string,
  { rounds, round_milliseconds: milliseconds }: NeighboursSize,
  { server, quiet, attacker }: NeighbourPrograms,
): Promise<{ row: BenchRow; megabytes: number }> {
  const without: number[] = []
  const during: number[] = []
  const ratios: number[] = []
  let megabytes = 0
  for (let round = 0; round < rounds; round++) {
    const { times: before } = await quiet.ask({ milliseconds })
    const attacking = attacker.ask({ attack: name, milliseconds })
    const { times } = await quiet.ask({ milliseconds })
    megabytes = Math.max(megabytes, await megabytesOf(server))
    await attacking
    without.push(...before)
    during.push(...times)
    ratios.push(p99Of(times) / p99Of(before))
  }
  const [ours, against] = [p99Of(during), p99Of(without)]
  const row = rowOf({
    name: `neighbours_${name}`,
    ours,
    against,
    // The 99th percentile of all times: a round alone has too few.
    ratio: ours / against,
    better: 'less',
    goal: p99Goal,
    rounds: ratios,
  })
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
    const { token } = await makeBenchAccount(runtime, `quiet-${number}`)
    accounts.push({ token, firewall: (await call({ url, token }, 'POST', '/preview/v2/firewalls', {})).id })
  }
  return { accounts, tokens: await makeAttackTokens(runtime) }
}

async function makeAttackTokens(runtime: Server['runtime']): Promise<string[]> {
  const { id: account_id, workspace_id, token } = await makeBenchAccount(runtime, 'greedy')
  const tokens = [token]
  while (tokens.length < attackTokens) {
    const wanted = { account_id, workspace_id, name: `bench-${tokens.length}` }
    tokens.push((await systemCommand(runtime, (ctx) => createAdminToken(ctx, wanted))).token)
  }
  return tokens
}
