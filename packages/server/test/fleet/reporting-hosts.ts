/** Many hosts with running machines. The test acts as their agents, over HTTP. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { ServerOptions } from '../../src/assembly/server-options.ts'
import { type Db, type Statement, statement } from '../../src/core/db/db.ts'
import type { Server } from '../../src/server.ts'
import { platformAccount } from '../support/access.ts'
import { introduction, signAgentToken } from '../support/agents.ts'
import { addHosts, addMachines, type FleetOwner, hostId, hostKey, makeOwner } from '../support/big-fleet.ts'
import { startTestServer, type TestResponse, type TestServer } from '../support/server.ts'

/** The size of the fleet. The machine of a slot has the number slot × hosts + host. */
export type FleetSize = { readonly hosts: number; readonly slots: number; readonly machines?: number }

export type ReportingHosts = {
  readonly server: TestServer
  readonly inside: Server
  readonly owner: FleetOwner
  /** The numbers of the hosts. */
  readonly numbers: readonly number[]
  /** Sends a GET request as the agent of a host. */
  ask(number: number, path: string, body?: object, headers?: Record<string, string>): Promise<TestResponse>
  /** Sends a report as the agent of a host. */
  say(number: number, report: object, headers?: Record<string, string>): Promise<TestResponse>
  /** Runs work for each host concurrently. */
  all<T>(work: (number: number) => Promise<T>): Promise<T[]>
  /** Enrols a host again, in its next epoch. */
  enrolAgain(number: number): Promise<TestResponse>
  rows<R>(text: string, params?: unknown[]): Promise<R[]>
  asOwner(text: string): Promise<void>
}

/** Starts a server with hosts that have just reported. */
export async function startReportingHosts(
  { hosts, slots, machines = hosts * slots }: FleetSize,
  options: Partial<ServerOptions> = {},
): Promise<ReportingHosts> {
  const server = await startTestServer(options)
  const inside = server.inside as Server
  const { id: account_id, workspace_id, token } = await platformAccount(server)
  const platform = { account_id, workspace_id: workspace_id as Id<'workspace'>, token }
  const owner = await makeOwner(inside, hosts * slots, platform)
  const { database, keys } = inside.runtime
  await database.asOwner(async (db) => {
    await addHosts(db, owner, { hosts, slots })
    await addMachines(db, owner, { hosts, from: 0, to: machines })
  })
  const numbers = Array.from({ length: hosts }, (_, number) => number)
  const sign = async (number: number) => {
    const host = hostId(number)
    const key = { public_key: '', private_key: hostKey(number) }
    return signAgentToken(key, { sub: host, iss: host, aud: keys.token_audience })
  }
  const tokens = await Promise.all(numbers.map(sign))
  const rows = <R>(text: string, params: unknown[] = []) =>
    database.reader.rows(statement(null, text) as Statement<R>, params)
  const ask: ReportingHosts['ask'] = (number, path, body, headers = {}) => {
    const request = { token: tokens[number] as string, headers, ...(body === undefined ? {} : { body }) }
    return server.request(body === undefined ? 'GET' : 'POST', `/agent/v1/${path}`, request)
  }
  return {
    server,
    inside,
    owner,
    numbers,
    ask,
    rows,
    say: (number, report, headers) => ask(number, 'report', report, headers),
    all: (work) => Promise.all(numbers.map(work)),
    enrolAgain: await enrolment(server, owner, rows),
    asOwner: (text) => database.asOwner(async (db: Db) => void (await db.run(statement(null, text), []))),
  }
}

async function enrolment(server: TestServer, { sku }: FleetOwner, rows: ReportingHosts['rows']) {
  const { token } = await server.call('create_host_enrolment', { body: { sku, uses: 1 } })
  const known = await rows<{ id: string; public_key: string }>('select id, public_key from hosts')
  const keys = new Map(known.map(({ id, public_key }) => [id, public_key]))
  return (number: number) => {
    const key = { public_key: keys.get(hostId(number)) ?? '', private_key: hostKey(number) }
    const body = introduction(token, key)
    return server.attempt('enrol_host', { token: null, body })
  }
}
