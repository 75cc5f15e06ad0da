/** Records examples from a sandbox: sends the calls to a seeded world and keeps what was sent and what came back. */
import { endpoints, type OperationName } from '../../../packages/api/src/contract.ts'
import type { Endpoint } from '../../../packages/api/src/kit/endpoint.ts'
import type { RecordedCall, RecordedCalls } from '../../../packages/api/src/openapi/examples.ts'
import type { WebhookDelivery } from '../../../packages/api/src/webhooks/webhook-deliveries.ts'
import { createSeededRandom } from '../../../packages/server/src/core/base/random.ts'
import { makeKeys } from '../../../packages/server/src/core/keys/key-files.ts'
import { loadKeys } from '../../../packages/server/src/core/keys/keys.ts'
import { isOfPlatform, type PlainRead, plainReads } from '../../../packages/server/test/calls/plain-reads.ts'
import { openTestServer, type TestServer } from '../../../packages/server/test/support/server.ts'
import { createStillDatabase } from '../../../packages/server/test/support/still-database.ts'
import { loadWorld } from '../../../packages/server/test/support/worlds.ts'
import { eventually } from '../../../test/eventually.ts'
import { exampleCalls } from './calls.ts'
import { type ExampleCall, type ExampleWorld, partOfImage } from './example-call.ts'
import { exampleTime, stabiliser } from './stable.ts'

/** The first call of each operation. Ids, times and secrets are the same in each run. Needs a test cluster. */
export async function recordExamples(): Promise<RecordedCalls> {
  const keys = loadKeys(makeKeys('sandbox', createSeededRandom('examples')))
  await using database = await createStillDatabase(exampleTime)
  await using server = await openTestServer({ keys, target: database.target, egress: { resolve: failToResolve } })
  const { tokens, ids, now } = await loadWorld(server, 'quickstart')
  const responses = new Map<string, unknown>()
  const operators = new Map<string, string>()
  const tokenOf = async (as: ExampleCall['as']): Promise<string> => {
    const platform = tokens.bourse ?? ''
    if (as === undefined) return tokens.acme ?? ''
    if (as === 'platform') return platform
    const token = operators.get(as) ?? (await makeOperator(server, platform))
    operators.set(as, token)
    return token
  }
  const world: ExampleWorld = { ids, now, made: (operation) => responses.get(operation) as never }
  const stable = stabiliser()
  const recorded: Record<string, RecordedCall> = {}
  /** Reads that follow from the contract. They are shown where no call is written, and may fail where one is. */
  const plain = new Map<OperationName, object>()
  const readPlainly = async (calls: readonly ExampleCall[]) => {
    for (const call of calls) {
      const sent = send(server, call, await tokenOf(call.as))
      plain.set(call.operation, await sent.then((response) => recordOf(call, response)).catch((error: Error) => error))
    }
  }
  await readPlainly(readsAtFirst())
  for (const step of exampleCalls.flatMap((calls) => calls(world))) {
    const call = typeof step === 'function' ? step(world) : step
    const { operation, after } = call
    const response = await send(server, call, await tokenOf(call.as))
    responses.set(operation, response)
    recorded[operation] ??= stable(recordOf(call, response), operation) as RecordedCall
    await readPlainly(readsAfter(call, response))
    if (after) await goOn(server, after, { response, token: await tokenOf(call.as) })
  }
  for (const [name, call] of plain) {
    if (name in recorded) continue
    if (call instanceof Error) throw call
    recorded[name] = stable(call, name) as RecordedCall
  }
  return recorded
}

function recordOf({ params, query, body }: ExampleCall, response: unknown): object {
  const known = Object.entries({ params, query, body, response }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known)
}

/** Sent before all calls: what needs no id. */
function readsAtFirst(): readonly ExampleCall[] {
  return [...plainReads.values()].filter(({ of }) => of === undefined).map(({ read }) => callOf(read))
}

/** Sent after a call that creates something: the reads of this and the list of its kind, by the one who created it. */
function readsAfter({ operation, as }: ExampleCall, response: unknown): readonly ExampleCall[] {
  const { method, path } = endpointNamed(operation)
  return [...plainReads.values()].flatMap(({ read, of }) => {
    const by = as ? { as } : {}
    if (of?.create.name === operation) {
      return [{ ...callOf(read), ...by, params: { [of.parameter]: (response as { id: string }).id } }]
    }
    return of === undefined && method === 'POST' && read.path === path ? [{ ...callOf(read), ...by }] : []
  })
}

function callOf(read: PlainRead['read']): ExampleCall {
  return {
    operation: read.name,
    ...(isOfPlatform(read) ? { as: 'platform' } : {}),
    ...('limit' in read.query.properties ? { query: { limit: 2 } } : {}),
  }
}

/** The token of an operator besides that of the platform. */
async function makeOperator(server: TestServer, token: string): Promise<string> {
  const made = await server.call('create_token', { token, body: {} })
  const body = { principal_type: 'token', principal_id: made.id, role: 'role_admin' } as const
  await server.call('create_grant', { token, body })
  return made.token
}

async function send(server: TestServer, call: ExampleCall, token: string): Promise<unknown> {
  const { operation, params = {}, query = {}, body } = call
  const { method, path } = endpointNamed(operation)
  const words = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const text = words.length > 0 ? `?${new URLSearchParams(words)}` : ''
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  return server.ok(method, filled + text, { token, ...(body ? { body } : {}) })
}

type EarlierCall = { readonly response: unknown; readonly token: string }

async function goOn(
  server: TestServer,
  after: NonNullable<ExampleCall['after']>,
  { response, token }: EarlierCall,
): Promise<void> {
  switch (after) {
    case 'a minute passes':
      return server.advance(60)
    case 'the sandbox settles':
      return server.settle()
    case 'a delivery is attempted':
      return untilAttempted(server, response as WebhookDelivery, token)
    case 'a part is uploaded': {
      const { url } = response as { url: string }
      const { status } = await fetch(url, { method: 'PUT', body: new Uint8Array(partOfImage) })
      if (status >= 300) throw new Error(`The part was refused with ${status}.`)
    }
  }
}

/** The server delivers beside its answers. What an example shows may not depend on which comes first. */
async function untilAttempted(server: TestServer, { webhook, id }: WebhookDelivery, token: string): Promise<void> {
  await eventually('the delivery has been attempted', async () => {
    const { attempts } = await server.call('get_webhook_delivery', { params: { id: webhook, delivery: id }, token })
    return attempts.length > 0
  })
}

/** Names of examples have no addresses, whatever the name servers of this machine say. */
function failToResolve(name: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(`${name} has no address.`), { code: 'ENOTFOUND' }))
}

function endpointNamed(name: OperationName): Endpoint {
  const found = (endpoints as readonly Endpoint[]).find((endpoint) => endpoint.name === name)
  if (!found) throw new Error(`There is no operation ${name}.`)
  return found
}
