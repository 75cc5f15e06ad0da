import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'vitest'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()

function get(path: string, token: string | null = null) {
  return server.request('GET', path, { token })
}

test('get_health and get_version need no valid token', async () => {
  for (const token of [null, account.token, 'no token']) {
    assert.deepEqual((await get('/healthz', token)).body, { status: 'ok' })
    const { body } = await get('/version', token)
    assert.deepEqual(Object.keys(body), ['name', 'version', 'interface_version', 'mode', 'commit'])
    assert.deepEqual([body.name, body.interface_version, body.mode], ['bourse', '0.1.0', 'sandbox'])
  }
})

test('the account shows the same version as get_version', async () => {
  const { version, interface_version, mode } = (await get('/version')).body
  const { server: shown } = (await get('/preview/v2/account', account.token)).body
  assert.deepEqual([shown.version, shown.interface_version, shown.mode], [version, interface_version, mode])
})

test('get_readiness names every part that must work', async () => {
  const { status, body } = await get('/readyz')
  assert.equal(status, 200)
  const parts = ['database', 'schema', 'storage_settings', 'clock', 'reconcilers']
  assert.deepEqual(body, { status: 'ok', parts: parts.map((name) => ({ name, message: 'ok' })) })
})

test('get_readiness is 503 with Retry-After without the database, and get_health stays 200', async () => {
  const fault = await server.call('create_fault', { body: { kind: 'database_down', times: 0 } })
  const { status, body, headers } = await get('/readyz')
  assert.deepEqual([status, body.error.type, headers.get('retry-after')], [503, 'api_error', '1'])
  assert.match(body.error.message, /database/)
  assert.equal((await get('/healthz')).status, 200)
  await server.call('delete_fault', { params: { id: fault.id } })
  assert.equal((await get('/readyz')).status, 200)
})

test('get_readiness is 503 while the server drains, and requests are served', async () => {
  const own = await startTestServer()
  if (!own.inside) return
  await own.inside.drain(0)
  const { status, body, headers } = await own.attempt('get_readiness', { token: null })
  assert.deepEqual([status, headers.get('connection')], [503, 'close'])
  assert.match(body.error.message, /stopping/)
  assert.equal((await own.attempt('get_version', { token: null })).status, 200)
})

test('a server stops although a browser keeps a connection in reserve, or sends half of a request', async () => {
  const own = await startTestServer()
  if (!own.inside) return
  const { port } = own.inside
  const clients = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  clients[1]?.write('GET /version HTTP/1.1\r\n')
  await Promise.all(clients.map((socket) => once(socket, 'connect')))
  // A response means that the connections before it have been accepted.
  await own.call('get_version', { token: null })
  const signal = AbortSignal.timeout(30_000)
  const ends = clients.map((socket) => once(socket.resume(), 'close', { signal }))
  const closing = own[Symbol.asyncDispose]()
  const isSoon = await Promise.all(ends).then(
    () => true,
    () => false,
  )
  for (const socket of clients) socket.destroy()
  await closing
  assert.ok(isSoon, 'the server waited for connections without a request')
})

test('a request that arrives after the stop on a connection from before it gets its answer', async () => {
  const own = await startTestServer()
  if (!own.inside) return
  const socket = connect(own.inside.port, '127.0.0.1')
  await once(socket, 'connect')
  // A response means that the connection before it has been accepted.
  await own.call('get_version', { token: null })
  const closing = own[Symbol.asyncDispose]()
  socket.write('GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const response = (await socket.toArray()).join('')
  await closing
  assert.match(response, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(response, /\r\nConnection: close\r\n/i)
})

test('get_openapi equals the description in the repository', async () => {
  const kept = await readFile(`${import.meta.dirname}/../../../../openapi.json`, 'utf8')
  const { status, body, headers } = await get('/openapi.json')
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'])
  assert.deepEqual(body, JSON.parse(kept))
})

test('get_metrics counts calls by operation and status, and names no account', async () => {
  await get('/v2/skus', account.token)
  await get('/v2/skus')
  const { headers, text } = await get('/metrics')
  assert.match(String(headers.get('content-type')), /^text\/plain/)
  for (const status of [200, 401]) {
    assert.match(
      text,
      new RegExp(`bourse_http_request_seconds_count\\{operation="list_skus",status="${status}"\\} [1-9]`),
    )
  }
  assert.match(text, /bourse_database_connections\{state="idle"\} \d/)
  assert.match(text, /process_resident_memory_bytes \d/)
  assert.ok(!text.includes(account.id))
})

/** The status and the code of `/metrics` for a request that names a server in `Host`. */
function metricsAt(url: string, host: string): Promise<[number, string | undefined]> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host } }, (response) => {
      const code = response.headers['x-error-code']
      response.resume().on('end', () => resolve([response.statusCode ?? 0, code?.toString()]))
    })
    sent.on('error', reject).end()
  })
}

test('a page of another site cannot read the metrics by a name that leads to this machine', async () => {
  const own = await startTestServer({
    metrics_port: 0,
    public_url: 'https://market.example',
    allowed_hosts: ['replica-1.market.internal'],
  })
  for (const url of [`${server.url}/metrics`, own.inside?.metrics_url ?? '']) {
    for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example', '.']) {
      assert.deepEqual(await metricsAt(url, host), [403, 'host_not_allowed'], host)
    }
    for (const host of ['127.0.0.1', '10.2.0.7:9090', '[::1]:9090', 'localhost:1', 'LOCALHOST.', 'bourse:9090']) {
      assert.deepEqual(await metricsAt(url, host), [200, undefined], host)
    }
  }
  for (const host of ['market.example', 'Replica-1.market.internal:9090']) {
    assert.deepEqual(await metricsAt(own.inside?.metrics_url ?? '', host), [200, undefined], host)
    assert.deepEqual(await metricsAt(`${server.url}/metrics`, host), [403, 'host_not_allowed'], host)
  }
  assert.deepEqual(await metricsAt(`${server.url}/healthz`, 'evil.example'), [200, undefined])
})

test('with a separate metrics port the API port does not serve metrics', async () => {
  const own = await startTestServer({ metrics_port: 0 })
  assert.equal((await own.attempt('get_metrics', { token: null })).status, 404)
  assert.equal((await own.attempt('get_health', { token: null })).status, 200)
  assert.match(own.inside?.metrics_url ?? '', /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
})

test('a server on all addresses says so, and clients of this machine get a URL of this machine', async () => {
  const { inside } = await startTestServer({ host: '0.0.0.0', metrics_port: 0 })
  assert.equal(inside?.bound_url, `http://0.0.0.0:${inside?.port}`)
  assert.equal(inside?.url, `http://localhost:${inside?.port}`)
  assert.match(inside?.metrics_url ?? '', /^http:\/\/127\.0\.0\.1:/)
})

test('the root sends browsers to the console, and gives programs the version and links that work', async () => {
  const ask = (accept: string) => fetch(`${server.url}/`, { headers: { accept }, redirect: 'manual' })
  const browser = await ask('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')
  // A checkout whose console is not built has the reference.
  const place = (await get('/console')).status === 200 ? '/console' : '/docs'
  assert.deepEqual([browser.status, browser.headers.get('location')], [302, place])
  for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json']) {
    const response = await ask(accept)
    assert.deepEqual([response.status, response.headers.get('vary')], [200, 'Accept'], accept)
    const { name, version, links } = (await response.json()) as { name: string; version: string; links: object }
    assert.deepEqual([name, version], ['bourse', (await get('/version')).body.version])
    for (const path of Object.values(links)) assert.equal((await get(path)).status, 200, path)
  }
  assert.equal((await server.request('POST', '/', { token: null })).status, 405)
})
