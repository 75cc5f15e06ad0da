import assert from 'node:assert/strict'
import { agentEndpoints, type OperationName } from '@bourse/api/contract.ts'
import { type Permission, splitPermission } from '@bourse/api/kit/permissions.ts'
import { trust } from '@bourse/api/trust.ts'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { app, sandboxRoutes } from '../../src/app.ts'
import type { CallBody } from '../support/calls.ts'
import { startTestServer, type TestAccount, type TestResponse } from '../support/server.ts'
import type { CaseCall, ContractCase } from './case.ts'
import { cases } from './cases.ts'
import { type NamedEndpoint, operations, send, tokenFor, visible } from './operations.ts'
import { type Assignment, judge, rightsAt } from './oracle.ts'
import { makeWorld } from './world.ts'

/** Operations without a token. The list is short on purpose: a change of it must be explicit here. */
const publicOperations = [
  'start_device_login',
  'finish_device_login',
  'start_passkey_sign_in',
  'finish_passkey_sign_in',
  'use_recovery_code',
  'list_webhook_keys',
  'get_health',
  'get_readiness',
  'get_version',
  'get_signing_keys',
  'get_openapi',
  'get_docs',
  'get_metrics',
]

/** A caller. Without holdings it is not authenticated. */
type MatrixCaller = { name: string; token: string | null; isForeign?: boolean; holdings?: Assignment[] }

const server = await startTestServer()
const everything = { '*': ['*'] }
const envelopes: Record<number, string> = {
  401: 'authentication_error',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'unprocessable_entity',
}

let world = await makeWorld(server)
const nobodies = await makeNobodies()

/** Invalid, deleted and expired tokens. Advances the clock so that one of them expires. */
async function makeNobodies(): Promise<MatrixCaller[]> {
  const { now } = await server.call('get_clock')
  const make = (body: object) => world.make('/preview/v2/tokens', { roles: ['role_admin'], ...body })
  const expired = await make({ expires_at: now + 60 })
  const deleted = await make({})
  await server.call('delete_token', { params: { id: deleted.id }, token: world.account.token })
  await server.advance(3600)
  return [
    { name: 'no token', token: null },
    { name: 'malformed', token: `${expired.token.slice(0, -1)}` },
    { name: 'expired', token: expired.token },
    { name: 'deleted', token: deleted.token },
  ]
}

/** The account of the resources of an operation, the place where the right is needed, and the needed rights. */
function askedBy(operation: NamedEndpoint, { account_wide }: ContractCase) {
  const isPlatform = operation.access.startsWith('platform:')
  const owner = isPlatform ? world.platform : world.account
  const isWide = account_wide || operation.scope === 'account'
  const needed = [operation.access, ...operation.also_access].filter((access) => access.includes(':')) as Permission[]
  return { isPlatform, owner, where: isWide ? null : owner.workspace_id, needed }
}

async function makeSomebodies(operation: NamedEndpoint, one: ContractCase): Promise<MatrixCaller[]> {
  const { isPlatform, owner, where, needed } = askedBy(operation, one)
  const elsewhere = isPlatform ? world.platform_elsewhere : world.elsewhere
  const right = actionsOf(needed)
  const wrong = actionsOf(needed.map((permission) => onOther(permission, needed)))
  const least = { event: ['list'] }
  const holders = [
    { name: 'other workspace', where: elsewhere, actions: everything },
    { name: 'read only', where: null, actions: { '*': ['read', 'list'] } },
    { name: 'right verb, wrong resource', where, actions: needed.length > 0 ? wrong : least },
    { name: 'right', where, actions: needed.length > 0 ? right : least },
  ]
  const made = holders.map(async ({ name, ...holding }) => ({ name, ...(await world.holder(owner, holding)) }))
  const { token } = world.stranger
  const stranger = { name: 'other account', token, isForeign: true, holdings: [{ where: null, actions: everything }] }
  return [stranger, ...(await Promise.all(made))]
}

function actionsOf(permissions: readonly Permission[]): Record<string, string[]> {
  const actions: Record<string, string[]> = {}
  for (const { resource, verb } of permissions.map(splitPermission)) {
    actions[resource] = [...(actions[resource] ?? []), verb]
  }
  return actions
}

/** The same verb on another kind that also counts in workspaces. */
function onOther(permission: Permission, needed: readonly Permission[]): Permission {
  const asked = needed.map((one) => splitPermission(one).resource)
  return `${asked.includes('subnet') ? 'image' : 'subnet'}:${splitPermission(permission).verb}`
}

/** The expected status of a cell of the matrix, by the rules of the API. */
function expected(operation: NamedEndpoint, one: ContractCase, caller: MatrixCaller): number {
  const { access, errors, path, success } = operation
  const { isPlatform, where, needed } = askedBy(operation, one)
  const succeeds = one.status ?? success
  if (access === 'public') return succeeds
  if (!caller.holdings) return 401
  const namesOne = path.includes(':') && !one.names_month
  if (access === 'open') return succeeds
  if (caller.isForeign) {
    // An operation without a resource runs in the caller's own account, where the caller may do everything.
    return isPlatform || namesOne ? 404 : one.names_in_body ? 422 : succeeds
  }
  const { holdings } = caller
  const decisions = needed.map((permission) => judge(holdings, { permission, where, isPlatform }))
  if (decisions.every((decision) => decision === 'allowed')) return succeeds
  if (!errors.includes('forbidden')) return succeeds
  const isListedElsewhere = holdings.some((held) => rightsAt(holdings, held.where, isPlatform).has(needed[0] as never))
  if (needed[0]?.endsWith(':list') && isListedElsewhere) return succeeds
  if (!decisions.includes('invisible')) return 403
  if (isPlatform) return 404
  const isBlind = rightsAt(holdings, where, isPlatform).size === 0
  if (one.names_in_body && (isBlind || !/:(create|list)$/.test(needed[0] as string))) return 422
  return namesOne ? 404 : 403
}

/** The call with ids or paths of no resource. */
function absent({ params, paths, ...call }: CaseCall, by: 'params' | 'paths'): CaseCall {
  const named = Object.entries((by === 'paths' ? paths : params) ?? {})
  const gone = named.map(([name, value]) => [
    name,
    value.replace(/[^_:]+$/, (tail) => `x${'0'.repeat(tail.length - 1)}`),
  ])
  return { ...call, params: Object.fromEntries(gone) }
}

/** Asserts that the response about a hidden resource equals the response about a missing one. */
async function assertHidden(
  operation: NamedEndpoint,
  call: CaseCall,
  caller: MatrixCaller,
  response: TestResponse,
): Promise<void> {
  const label = `${operation.name}, ${caller.name}`
  const byId = await send(server, operation, absent(call, 'params'), caller.token)
  assert.deepEqual(visible(response), visible(byId), label)
  if (!call.paths) return
  const byPath = await send(server, operation, { ...call, params: call.paths }, caller.token)
  assert.deepEqual(visible(byPath), visible(response), `${label}, by path`)
  assert.deepEqual(visible(await send(server, operation, absent(call, 'paths'), caller.token)), visible(byPath), label)
}

function isList({ name, response }: NamedEndpoint): boolean {
  return name.startsWith('list_') && response !== undefined
}

/** Ids of created rows. Built-in rows exist in every account. */
function idsIn({ body }: TestResponse): string[] {
  const ids = (body.data as { id?: unknown }[]).map(({ id }) => id)
  return ids.filter((id): id is string => typeof id === 'string' && /_[0-9a-zA-Z_-]{21}$/.test(id))
}

/** Asserts that the list of a foreign caller has no row of the account. */
async function assertApart(operation: NamedEndpoint, call: CaseCall, foreign: TestResponse): Promise<void> {
  const own = new Set(idsIn(await send(server, operation, call, tokenFor(world, operation))))
  const shared = idsIn(foreign).filter((id) => own.has(id))
  assert.deepEqual(shared, [], `${operation.name} shows rows of the account to a foreign caller`)
}

/** The trail of the foreign caller holds the ids of the account that the caller itself has sent, as targets. */
function withoutTargets({ name }: NamedEndpoint, response: TestResponse): TestResponse {
  if (name !== 'list_audit_entries' || response.status !== 200) return response
  const data = response.body.data.map((entry: object) => ({ ...entry, targets: [] }))
  const body = { ...response.body, data }
  return { ...response, body, text: JSON.stringify(body) }
}

type MatrixCell = { operation: string; caller: string; wanted: number; got: number; text: string }

async function fillRow(
  operation: NamedEndpoint,
  one: ContractCase,
  callers: readonly MatrixCaller[],
): Promise<MatrixCell[]> {
  const prepare = async () => (await one.call?.(world)) ?? {}
  const cells: MatrixCell[] = []
  let call = await prepare()
  for (const caller of callers) {
    const response = await send(server, operation, call, caller.token)
    const wanted = expected(operation, one, caller)
    cells.push({ operation: operation.name, caller: caller.name, wanted, got: response.status, text: response.text })
    if (wanted !== response.status) continue
    if (response.status >= 400) assert.equal(response.body.error.type, envelopes[response.status])
    if (response.status === 401) assert.equal(response.headers.get('www-authenticate'), 'Bearer', operation.name)
    if (response.status === 404) await assertHidden(operation, call, caller, response)
    const isReported = operation.access !== 'public' && caller.holdings !== undefined
    assert.equal(response.headers.has('ratelimit-policy'), isReported, `${operation.name}, ${caller.name}`)
    const isOwn = caller.isForeign && operation.access.includes(':')
    const shown = withoutTargets(operation, response)
    if (isOwn)
      assert.ok(!shown.text.includes(world.account.id), `${operation.name} shows the account to a foreign caller`)
    if (isOwn && isList(operation) && response.status < 300) await assertApart(operation, call, shown)
    if (response.status < 300 && operation.method !== 'GET') call = await prepare()
  }
  return cells
}

test('every operation of the contract has a route, and every route is in the contract', () => {
  const ofAgents = new Set<string>(agentEndpoints.map(({ name }) => name))
  const routed = [...app.routes, ...sandboxRoutes].map(({ endpoint }) => endpoint.name)
  const ofProcess = publicOperations.filter((name) => !routed.includes(name as never))
  const listed = operations.map(({ name }) => name as string).filter((name) => !ofProcess.includes(name))
  assert.deepEqual(routed.toSorted(), [...listed, ...ofAgents].toSorted())
})

test('exactly the operations listed here need no token', () => {
  const open = operations.filter(({ access }) => access === 'public').map(({ name }) => name)
  assert.deepEqual(open, publicOperations)
})

/** Writes that act on nothing: they answer, or make what is as limited as the caller. */
const withoutResource: readonly OperationName[] = ['check_permissions', 'create_order_estimate', 'create_token']

/** An admin of an account whose token is limited: to networks, or to one resource that no call of the cases names. */
async function makeLimited(owner: TestAccount, limits: CallBody<'create_token'>): Promise<string> {
  const body = { roles: ['role_admin'], ...limits } as const
  const { id, token } = await server.call('create_token', { token: owner.token, body })
  const grant = { principal_type: 'token', principal_id: id, role: 'role_admin' } as const
  await server.call('create_grant', { token: owner.token, body: grant })
  return token
}

test('limited tokens write only what the contract lets them, and nothing beyond their resources', async () => {
  const writes = operations.filter(({ access, method }) => method !== 'GET' && access !== 'public')
  const holders = new Map<TestAccount, Record<'networks' | 'resources', string>>()
  for (const owner of [world.account, world.platform]) {
    const networks = await makeLimited(owner, { allowed_cidrs: ['127.0.0.0/8', '::1/128'] })
    holders.set(owner, { networks, resources: await makeLimited(owner, { resources: ['inst_x'] }) })
  }
  const wrong = await inParallel(writes, async (operation) => {
    const { name, access } = operation
    const owner = access.startsWith('platform:') ? world.platform : world.account
    const { networks, resources } = holders.get(owner) as Record<'networks' | 'resources', string>
    const call = (await cases[name].call?.(world)) ?? {}
    const { limited } = trust[name]
    const refused = (await send(server, operation, call, resources)).status
    const wanted = limited === 'any' ? [403, 404, 422] : [403]
    const isRight = withoutResource.includes(name) ? refused < 300 : wanted.includes(refused)
    const byNetworks = limited === 'none' ? (await send(server, operation, call, networks)).status : 403
    return isRight && byNetworks === 403 ? [] : [`${name}: ${refused}, by networks ${byNetworks}`]
  })
  assert.deepEqual(wrong, [])
})

/** What a frozen account may still send besides reads: questions. */
const questions: readonly OperationName[] = ['check_permissions', 'create_order_estimate']

test('a frozen account writes nothing', async () => {
  const writes = operations.filter(
    ({ access, method, path }) =>
      method !== 'GET' && !access.startsWith('platform:') && access !== 'public' && !path.startsWith('/sandbox/'),
  )
  const own = await makeWorld(server)
  const calls: { operation: NamedEndpoint; call: CaseCall }[] = []
  for (const operation of writes) calls.push({ operation, call: (await cases[operation.name].call?.(own)) ?? {} })
  const { token, id } = own.account
  await server.call('freeze_account', { params: { account: id } })
  await eventually('the account is frozen', async () => {
    const { status } = await server.attempt('create_firewall', { token, body: { rules: [] } })
    return status === 403
  })
  const written: string[] = []
  for (const { operation, call } of calls) {
    const { status } = await send(server, operation, call, token)
    if (status !== 403 && !questions.includes(operation.name)) written.push(`${operation.name}: ${status}`)
  }
  assert.deepEqual(written, [])
})

test('every operation responds to nine callers according to the access rules', async ({ annotate }) => {
  const lasting = operations.filter(({ name }) => !cases[name].ends_world)
  const cells = await inParallel(lasting, async (operation) => {
    const one = cases[operation.name]
    return fillRow(operation, one, [...nobodies, ...(await makeSomebodies(operation, one))])
  })
  for (const operation of operations.filter(({ name }) => cases[name].ends_world)) {
    const one = cases[operation.name]
    cells.push(...(await fillRow(operation, one, nobodies)))
    for (let at = 0; at < 5; at++) {
      world = await makeWorld(server)
      const caller = (await makeSomebodies(operation, one))[at] as MatrixCaller
      cells.push(...(await fillRow(operation, one, [caller])))
    }
  }
  const wrong = cells.filter(({ wanted, got }) => wanted !== got)
  await annotate(`${summary(cells)}; ${wrong.length} wrong`)
  assert.deepEqual(wrong.map(lineOf), [])
  assert.equal(cells.length, operations.length * 9)
})

/** Fills several rows at a time, because each waits for the database most of its time. Some are filled alone. */
async function inParallel<T extends NamedEndpoint, R>(
  rows: readonly T[],
  fill: (row: T) => Promise<R[]>,
): Promise<R[]> {
  const isAlone = ({ name }: T) => cases[name].is_alone === true
  const open = rows.filter((row) => !isAlone(row))
  const filled: R[] = []
  const worker = async () => {
    for (let row = open.shift(); row !== undefined; row = open.shift()) filled.push(...(await fill(row)))
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  for (const row of rows.filter(isAlone)) filled.push(...(await fill(row)))
  return filled
}

function lineOf({ operation, caller, wanted, got, text }: MatrixCell): string {
  return `${operation}, ${caller}: ${got} instead of ${wanted}: ${text.slice(0, 200)}`
}

function summary(cells: readonly MatrixCell[]): string {
  const counts = new Map<number, number>()
  for (const { got } of cells) counts.set(got, (counts.get(got) ?? 0) + 1)
  const shown = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  return `${cells.length} cells: ${shown.join(', ')}`
}
