/** A replica with several workers, as operators run it: workers that are killed, stopped, and asked for metrics. */
import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { pause } from '@bourse/text/time/pause.ts'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { authority, certificate, key, renewedCertificate, renewedKey } from '../support/certificates.ts'
import { connectTo } from '../support/server.ts'
import { installProduction, type ProductionServer, runBourse, startReplica } from './upgrade/production.ts'
import { repository } from './upgrade/program-trees.ts'

const stack = new AsyncDisposableStack()
atEnd(() => stack.disposeAsync())
const { directory, variables: usual } = await installProduction(stack)
const variables = { ...usual, BOURSE_WORKERS: '2', BOURSE_REPLICA_NAME: 'eu', BOURSE_DRAIN_SECONDS: '1' }
const made = await runBourse(repository, ['tokens', 'create', '--platform', '--json'], variables)
assert.equal(made.code, 0, made.err)
const { token } = JSON.parse(made.out)

async function start(more: Readonly<Record<string, string>> = {}): Promise<ProductionServer> {
  const server = await startReplica(repository, { ...variables, ...more })
  stack.use(server)
  return server
}

/** The lines of a log, all of them JSON. */
const linesOf = (server: ProductionServer): any[] =>
  server
    .log()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The processes of the workers that served last, by name. */
function workersOf(server: ProductionServer): Map<string, number> {
  const served = linesOf(server).filter(({ msg }) => msg === 'The worker serves.')
  return new Map(served.map(({ replica, pid }) => [replica, pid]))
}

const series = (page: string, name: string) =>
  [...page.matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value]) => ({
    labels,
    value: Number(value),
  }))
const scrape = async ({ metrics_url }: ProductionServer) => (await fetch(metrics_url)).text()
const sum = (found: readonly { value: number }[]) => found.reduce((all, { value }) => all + value, 0)

/** Sends requests over a connection of its own. */
function openConnection({ url }: ProductionServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  atEnd(() => agent.destroy())
  return (path: string, authorization?: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${url}${path}`, { agent, headers: authorization ? { authorization } : {} }, (response) => {
        text(response).then(() => resolve(response), reject)
      })
      sent.on('error', reject).end()
    })
}

/** Asks for the health of the server over a connection of its own. */
function openClient(server: ProductionServer) {
  const ask = openConnection(server)
  return async () => (await ask('/healthz')).statusCode
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('workers share one port, one log and one page of metrics, and one signal stops them all', async () => {
  const server = await start()
  const workers = workersOf(server)
  assert.deepEqual([...workers.keys()].sort(), ['eu-1', 'eu-2'])
  const clients = Array.from({ length: 6 }, () => openClient(server))
  for (const ask of clients) for (let asked = 0; asked < 5; asked++) assert.equal(await ask(), 200)
  const page = await scrape(server)
  const requests = series(page, 'bourse_http_request_seconds_count').filter(({ labels }) => /get_health/.test(labels))
  assert.equal(sum(requests), 30)
  const memory = series(page, 'process_resident_memory_bytes')
  assert.deepEqual(memory.map(({ labels }) => labels).sort(), ['{worker="1"}', '{worker="2"}'])
  assert.ok(memory.every(({ value }) => value > 0))
  assert.deepEqual(series(page, 'bourse_workers'), [
    { labels: '{state="serving"}', value: 2 },
    { labels: '{state="absent"}', value: 0 },
  ])
  // Figures of the database are those of one worker, and each family is there once.
  assert.deepEqual(series(page, 'bourse_database_up'), [{ labels: '', value: 1 }])
  const heads = [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  assert.deepEqual(heads, [...new Set(heads)])
  // Each shows the limits of the replica.
  const limited = await fetch(`${server.url}/preview/v2/account`, { headers: { authorization: `Bearer ${token}` } })
  assert.match(limited.headers.get('ratelimit-policy') ?? '', /"read";q=200;/)
  assert.equal(await server.stop(), 0)
  for (const [name, pid] of workers) assert.equal(isRunning(pid), false, name)
  assert.match(server.log(), /"msg":"SIGTERM: stopping in 1 s/)
})

test('one connection gets the whole rate, and connections to two workers get it once', async () => {
  const server = await start()
  // Connections go to one worker after the other.
  const [one, other] = [openConnection(server), openConnection(server)]
  const isWithin = async (ask: typeof one) => {
    const { statusCode, headers } = await ask('/preview/v2/account', 'Bearer none')
    assert.equal(statusCode, 401)
    return headers['retry-after'] === undefined
  }
  let failures = 0
  while (await isWithin(one)) failures++
  assert.ok(failures >= 10, `${failures}`)
  // One more each five seconds: the count has room for a slow machine.
  for (let asked = 0; asked < 10; asked++) if (await isWithin(other)) failures++
  assert.ok(failures < 16, `${failures}`)

  // Ten more each second: one connection asks faster on any machine.
  const read = async (ask: typeof one) => ask('/preview/v2/events?limit=1', `Bearer ${token}`)
  let refused = await read(one)
  let allowed = 0
  for (; refused.statusCode === 200; refused = await read(one)) allowed++
  assert.deepEqual([refused.statusCode, refused.headers['ratelimit-limit']], [429, '60'])
  assert.ok(allowed >= 60, `${allowed}`)
  await eventually('the other worker refuses too', async () => {
    const { statusCode, headers } = await read(other)
    return statusCode === 429 && headers['ratelimit-remaining'] === '0'
  })
  assert.equal(await server.stop(), 0)
})

test('a worker that is killed under load is started again, and clients that retry see no failure', async () => {
  const server = await start()
  const before = workersOf(server)
  const client = connectTo({ url: server.url, platform_token: token })
  let isOver = false
  let acknowledged = 0
  const failures: string[] = []
  const work = async (number: number) => {
    for (let sent = 0; !isOver; sent++) {
      const headers = { 'idempotency-key': `${number}-${sent}-${server.pid}` }
      const body = { name: `firewall-${number}-${sent}` }
      // As the SDK does: the same key until there is an answer, with a pause after a refusal.
      await eventually(`${body.name} is created`, async () => {
        const { status, text: said } = await client
          .request('POST', '/preview/v2/firewalls', { headers, body })
          .catch(() => ({ status: 0, text: '' }))
        if (![0, 201, 429, 503].includes(status)) failures.push(`${status} ${said}`)
        return status === 201 || failures.length > 0
      })
      acknowledged++
      await pause(100)
    }
  }
  const clients = [1, 2, 3, 4].map(work)
  for (const name of ['eu-1', 'eu-2']) {
    const counted = sum(series(await scrape(server), 'process_cpu_seconds_total'))
    const pid = before.get(name) as number
    process.kill(pid, 'SIGKILL')
    const until = acknowledged + 8
    const isReplaced = () => (workersOf(server).get(name) ?? pid) !== pid
    // A start of the program, beside the load.
    await eventually(`${name} is replaced`, isReplaced, { usual_seconds: 10 })
    await eventually('the others go on', () => acknowledged >= until)
    // What a worker has counted outlives it.
    assert.ok(sum(series(await scrape(server), 'process_cpu_seconds_total')) >= counted)
  }
  isOver = true
  await Promise.all(clients)
  assert.deepEqual(failures, [])
  assert.deepEqual(series(await scrape(server), 'bourse_worker_deaths_total'), [{ labels: '', value: 2 }])
  const deaths = linesOf(server).filter(({ msg }) => /^A worker has ended/.test(msg))
  assert.deepEqual(
    deaths.map(({ worker, signal }) => [worker, signal]),
    [
      ['eu-1', 'SIGKILL'],
      ['eu-2', 'SIGKILL'],
    ],
  )
  assert.equal(await server.stop(), 0)
})

test('workers whose parent is killed answer what they have begun, and end', async () => {
  const server = await start({ BOURSE_DRAIN_SECONDS: '2' })
  const ask = openClient(server)
  assert.equal(await ask(), 200)
  process.kill(server.pid, 'SIGKILL')
  await eventually(
    'the workers drain',
    () => server.log().split('The parent has ended: the worker drains').length === 3,
  )
  assert.equal(await ask(), 200)
  const pids = [...workersOf(server).values()]
  await eventually('the workers have ended', () => !pids.some(isRunning))
})

test('a second signal ends all at once', async () => {
  const server = await start({ BOURSE_DRAIN_SECONDS: '300' })
  const pids = [...workersOf(server).values()]
  process.kill(server.pid, 'SIGTERM')
  await eventually('the workers drain', () => server.log().split('the worker drains').length === 3)
  // Within a second it would count as the same signal.
  await eventually('all have ended', () => {
    if (isRunning(server.pid)) process.kill(server.pid, 'SIGTERM')
    return !pids.some(isRunning)
  })
  assert.equal(await server.stop(), 143)
})

test('a worker that cannot be started ends its replica, with the reason, once no other one serves', async () => {
  const server = await start()
  const [one, other] = workersOf(server).values()
  const keys = usual.BOURSE_MASTER_KEY_FILE as string
  renameSync(keys, `${keys}.away`)
  const failures = () => linesOf(server).filter(({ msg }) => /A worker has ended/.test(msg))
  try {
    process.kill(one as number, 'SIGKILL')
    await eventually('two starts have failed', () => failures().length > 2, { usual_seconds: 20 })
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    process.kill(other as number, 'SIGKILL')
    const ended = await eventually('the replica has ended', () => !isRunning(server.pid), { usual_seconds: 40 })
    assert.ok(ended)
  } finally {
    renameSync(`${keys}.away`, keys)
  }
  assert.equal(await server.stop(), 1)
  const last = linesOf(server).find(({ msg }) => /starts in a row, and no other one serves/.test(msg))
  assert.match(last?.reason ?? '', /BOURSE_MASTER_KEY_FILE/)
})

test('workers serve https and take a renewed certificate at SIGHUP, and the doctor reads the files', async () => {
  const files = { BOURSE_TLS_CERT_FILE: join(directory, 'tls.crt'), BOURSE_TLS_KEY_FILE: join(directory, 'tls.key') }
  const write = (texts: { certificate: string; key: string }) => {
    writeFileSync(files.BOURSE_TLS_CERT_FILE, texts.certificate)
    writeFileSync(files.BOURSE_TLS_KEY_FILE, texts.key, { mode: 0o600 })
  }
  write({ certificate, key })
  const doctor = async (more: Readonly<Record<string, string>> = {}) => {
    const { out } = await runBourse(repository, ['doctor', '--json'], { ...variables, ...files, ...more })
    const checks: { name: string; status: string; message: string }[] = JSON.parse(out).data
    return checks.filter(({ name }) => name === 'certificate').map(({ status, message }) => `${status}: ${message}`)
  }
  const server = await start({ ...files, BOURSE_HOST: '0.0.0.0' })
  assert.match(server.url, /^https:/)
  const serialOf = () => {
    const options = { port: new URL(server.url).port, host: '127.0.0.1', ca: authority, path: '/healthz' }
    return new Promise<string>((resolve, reject) => {
      const sent = secureRequest({ ...options, agent: false }, (response) => {
        const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate()
        response.resume().on('end', () => resolve(serialNumber))
      })
      sent.on('error', reject).end()
    })
  }
  const before = await serialOf()
  write({ certificate: renewedCertificate, key: renewedKey })
  process.kill(server.pid, 'SIGHUP')
  await eventually('both workers have the new one', async () => {
    // Connections go to one worker after the other.
    for (let asked = 0; asked < 4; asked++) if ((await serialOf()) === before) return false
    return true
  })
  const [valid] = await doctor()
  assert.match(valid ?? '', /^ok: valid until 2126/)
  const [other] = await doctor({ BOURSE_PUBLIC_URL: 'https://other.example' })
  assert.match(other ?? '', /^note: .*not one of other\.example, .*but of market\.example/)
  writeFileSync(files.BOURSE_TLS_KEY_FILE, key)
  const [broken] = await doctor()
  assert.match(broken ?? '', /^note: BOURSE_TLS_KEY_FILE names .*does not belong/)
  const refused = await runBourse(repository, ['serve'], { ...variables, ...files })
  assert.equal(refused.code, 1)
  assert.match(refused.err, /"code":"certificate_unusable".*BOURSE_TLS_KEY_FILE names/)
  assert.equal(await server.stop(), 0)
})

test('a replica that cannot start says why in one line, and ends', async () => {
  const { code, out, err } = await runBourse(repository, ['serve'], {
    ...variables,
    BOURSE_MASTER_KEY_FILE: join(usual.BOURSE_DATA_DIR as string, 'none'),
  })
  assert.deepEqual([code, out], [1, ''])
  const lines = err.trimEnd().split('\n')
  assert.equal(lines.length, 1, err)
  assert.match(JSON.parse(lines[0] ?? '').msg, /BOURSE_MASTER_KEY_FILE.*does not exist/)
})
