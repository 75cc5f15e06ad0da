/** Keys of each kind are rotated while two replicas serve: no request fails, and nothing made before is lost. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { sshKeyLine } from '../support/fixtures/ssh-keys.ts'
import { installProduction, type ProductionServer, runBourse, startReplica } from './upgrade/production.ts'
import { repository } from './upgrade/program-trees.ts'

const stack = new AsyncDisposableStack()
atEnd(() => stack.disposeAsync())
const { variables: usual } = await installProduction(stack)
// One of the replicas has a parent, which passes signals on.
const variables: Record<string, string> = {
  ...usual,
  BOURSE_REPLICAS: '2',
  BOURSE_IMAGE_STORE: `${usual.BOURSE_DATA_DIR}/images`,
}
const made = await runBourse(repository, ['tokens', 'create', '--platform', '--json'], variables)
assert.equal(made.code, 0, made.err)
const { token: first } = JSON.parse(made.out)
const replicas: ProductionServer[] = []
for (const workers of ['1', '2']) {
  const replica = await startReplica(repository, { ...variables, BOURSE_WORKERS: workers })
  stack.use(replica)
  replicas.push(replica)
}
const [one, other] = replicas as [ProductionServer, ProductionServer]

async function ask(
  server: ProductionServer,
  path: string,
  { token = first, body }: { token?: string; body?: object } = {},
) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const response = await fetch(`${server.url}/preview/v2${path}`, { headers, ...sent })
  const content = (await response.json()) as any
  return { status: response.status, content }
}

/** Waits where it was too fast: the limits of requests are not what is tested. */
async function call(server: ProductionServer, path: string, options: { token?: string; body?: object } = {}) {
  const { status, content } = await eventually(`${path} is within the limits`, async () => {
    const answer = await ask(server, path, options)
    return answer.status !== 429 && answer
  })
  assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(content)}`)
  return content
}

let created = 0
const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
const createToken = async (server: ProductionServer): Promise<string> =>
  (await call(server, '/tokens', { body: { name: `token-${created++}` } })).token

async function rotate(...words: readonly string[]): Promise<void> {
  const { code, err } = await runBourse(repository, ['keys', 'rotate', ...words], variables)
  assert.equal(code, 0, err)
}

// Events, whose cursors are asked for.
for (const name of ['first', 'second']) {
  await call(one, '/ssh_keys', { body: { name, public_key: sshKeyLine(name) } })
}

/** Reads of both replicas in turn, with tokens and cursors of each other, until it is stopped. Returns what failed. */
function startLoad() {
  const failures: string[] = []
  let isStopped = false
  let served = 0
  const run = async () => {
    for (let turn = 0; !isStopped; turn++) {
      const [here, there] = turn % 2 ? [one, other] : [other, one]
      try {
        // Events have the lower limit.
        if (turn % 4 === 0) {
          const page = await call(here, '/events?limit=1')
          await call(there, `/events?limit=1&starting_after=${page.data[0].cursor}`)
        }
        const tokens = await call(here, '/tokens?limit=1')
        await call(there, `/tokens?limit=1&starting_after=${tokens.cursor}`)
        served += 2
      } catch (error) {
        failures.push(String(error))
      }
    }
  }
  const running = run()
  return {
    stop: async () => {
      isStopped = true
      await running
      assert.ok(served > 0)
      return failures
    },
  }
}

async function isUsedBy(server: ProductionServer, text: RegExp) {
  return text.test(server.log())
}

test('the signing key: tokens of before and after are good at both replicas, and none fails meanwhile', async () => {
  const before = await createToken(one)
  const load = startLoad()
  await rotate()
  const signs = kidOf(first)
  const tokens: string[] = []
  for (const server of replicas) {
    await eventually('the replica signs with the next key', async () => {
      const token = await createToken(server)
      if (kidOf(token) === signs) return false
      tokens.push(token)
      return true
    })
  }
  for (const server of replicas) {
    for (const token of [first, before, ...tokens]) await call(server, '/account', { token })
  }
  assert.deepEqual(await load.stop(), [])
  // Once more, at once: running replicas read it, and tokens of three keys are good.
  const early = await runBourse(repository, ['keys', 'rotate'], variables)
  assert.match(early.err, /rotated less than 10 minutes ago/)
  await rotate('--force')
  process.kill(one.pid, 'SIGHUP')
  process.kill(other.pid, 'SIGHUP')
  for (const server of replicas) {
    await eventually('both know the newest key', async () => {
      const token = await createToken(server)
      return ![signs, ...tokens.map(kidOf)].includes(kidOf(token))
    })
    for (const token of [first, before, ...tokens]) await call(server, '/account', { token })
  }
})

test('the master key: secrets of before are readable, are encrypted again, and the old key can go', async () => {
  const hook = async (server: ProductionServer) =>
    await call(server, '/webhooks', { body: { url: 'https://market.example/', actions: ['webhook.disabled'] } })
  const before = await hook(one)
  const load = startLoad()
  await rotate('--kind', 'master', '--after', '15')
  const after = await eventually('the new key encrypts', async () => {
    const made = await hook(other)
    const shown = await runBourse(repository, ['doctor', '-o', 'json'], variables)
    return / need master key 1"/.test(shown.out) && made
  })
  const rotated = async (id: string, server: ProductionServer) =>
    (await call(server, `/webhooks/${id}/rotate_secret`, { body: {} })).secret
  for (const { id } of [before, after]) assert.ok(await rotated(id, one))
  const { code, out, err } = await runBourse(repository, ['keys', 'reencrypt', '-o', 'json'], variables)
  assert.equal(code, 0, err)
  const uses = JSON.parse(out).data as { key_id: number; kind: string; count: number }[]
  assert.deepEqual([...new Set(uses.map(({ key_id }) => key_id))], [2])
  assert.ok(uses.some(({ kind }) => kind === 'webhook_secrets'))
  // Nothing needs the first key any more, and servers take the file without it.
  const path = variables.BOURSE_MASTER_KEY_FILE as string
  const file = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...file, current: 2, keys: file.keys.slice(1) }))
  for (const server of replicas) {
    await eventually('the replica has no other key', () => isUsedBy(server, /"master_keys":\[2\]/))
    for (const { id } of [before, after]) assert.ok(await rotated(id, server))
  }
  const shown = await runBourse(repository, ['doctor', '-o', 'json'], variables)
  assert.doesNotMatch(shown.out, /need master key/)
  assert.deepEqual(await load.stop(), [])
})

test('the cursor root: cursors of before and after are good at both replicas', async () => {
  const cursorOf = async (server: ProductionServer) => (await call(server, '/events?limit=1')).data[0].cursor as string
  const keyOf = (cursor: string) => Buffer.from(cursor.slice('evtc_'.length), 'base64url').readUInt16BE(1)
  const before = await cursorOf(one)
  const load = startLoad()
  await rotate('--kind', 'cursor', '--after', '15')
  for (const server of replicas) {
    const after = await eventually('cursors are made with the new root', async () => {
      const cursor = await cursorOf(server)
      return keyOf(cursor) > keyOf(before) && cursor
    })
    for (const at of replicas) {
      for (const cursor of [before, after]) await call(at, `/events?limit=1&starting_after=${cursor}`)
    }
  }
  assert.deepEqual(await load.stop(), [])
})

test('a file that cannot be used is not taken: the log and a metric say so, and requests go on', async () => {
  const path = variables.BOURSE_SIGNING_KEYS_FILE as string
  const good = readFileSync(path, 'utf8')
  const rejected = async (server: ProductionServer) =>
    [...(await (await fetch(server.metrics_url)).text()).matchAll(/^bourse_keys_rejected(?:\{.*\})? (\d)$/gm)].map(
      ([, value]) => value,
    )
  writeFileSync(path, '{')
  for (const server of replicas) {
    await eventually('the metric shows it', async () => (await rejected(server)).every((value) => value === '1'))
    assert.ok(await isUsedBy(server, /The new key files are not taken\. .* is not JSON/))
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    await createToken(server)
  }
  writeFileSync(path, good)
  for (const server of replicas) {
    await eventually('the files are those in use', async () => (await rejected(server)).every((value) => value === '0'))
  }
})
