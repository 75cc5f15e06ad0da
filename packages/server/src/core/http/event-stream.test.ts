import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { eventually } from '../../../../../test/eventually.ts'
import type { Caller } from '../work/ctx.ts'
import { createStreams, pulled, type StreamEntries, type StreamOpening, type StreamTimes } from './event-stream.ts'

const long: StreamTimes = { heartbeat: 1e9, life: 1e9, check: 1e9, stall: 1e9 }
const caller = { account_id: 'acme' } as Caller

/** A server that answers every request with one stream. */
async function serve(entries: StreamEntries, times: Partial<StreamTimes> = {}, more: Partial<StreamOpening> = {}) {
  const streams = createStreams({ ...long, ...times })
  const failures: unknown[] = []
  const ended: Promise<unknown>[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const onFailure = (error: unknown) => failures.push(error)
    ended.push(once(response, 'close'))
    streams.open({
      token: 't',
      caller,
      response,
      source: pulled(entries),
      authenticate: () => caller,
      mayRead: () => true,
      onFailure,
      ...more,
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const read = async (): Promise<IncomingMessage> => {
    const request = get({ agent: false, port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    const [response] = await once(request, 'response')
    return response
  }
  return { streams, read, failures, ended }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of response) text += part
  return text
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())))

async function* silence(signal: AbortSignal): AsyncGenerator<never[]> {
  await untilAborted(signal)
  yield []
}

test('a stream sends the reconnection time, then each entry with its id, and ends after the last entry', async () => {
  const { read, streams } = await serve(async function* () {
    yield [
      { id: '1', data: '{"a":1}' },
      { id: '2', data: '{}' },
    ]
    assert.equal(streams.count('acme'), 1)
    yield [{ id: '5', data: '"x"' }]
  })
  assert.equal(
    await textOf(await read()),
    'retry: 2000\n\nid: 1\ndata: {"a":1}\n\nid: 2\ndata: {}\n\nid: 5\ndata: "x"\n\n',
  )
  assert.equal(streams.count('acme'), 0)
})

test('a stream without changes sends keep-alive comments, and ends after its time limit', async () => {
  const { read } = await serve(silence, { heartbeat: 20, life: 400 })
  const text = await textOf(await read())
  assert.match(text, /^retry: 2000\n\n(:\n\n)+$/)
})

test('streams of a token share the look-up of its caller and end with it, but not when the look-up fails', async () => {
  const changed = { ...caller, is_frozen: true } as Caller
  // Until both streams are open, each look-up finds the caller unchanged.
  let areOpen = false
  const responses: (() => Caller | undefined | Promise<Caller | undefined>)[] = [
    () => caller,
    () => Promise.reject(new Error('away')),
    () => {
      throw new Error('away')
    },
    () => Promise.resolve(changed),
    () => Promise.resolve(undefined),
  ]
  let asked = 0
  const authenticate = () => (areOpen ? (responses[asked++] as (typeof responses)[0])() : caller)
  const seen: Caller[] = []
  const mayRead = (known: Caller) => seen.push(known) > 0
  const { read, streams } = await serve(silence, { check: 20 }, { authenticate, mayRead })
  const readers = [await read(), await read()]
  areOpen = true
  assert.deepEqual(await Promise.all(readers.map(textOf)), ['retry: 2000\n\n', 'retry: 2000\n\n'])
  assert.equal(asked, responses.length)
  assert.deepEqual(seen, [changed, changed])
  assert.equal(streams.count('acme'), 0)
})

test('a stream ends when its caller may no longer read', async () => {
  const changed = { ...caller, is_frozen: true } as Caller
  const { read } = await serve(silence, { check: 10 }, { authenticate: () => changed, mayRead: () => false })
  assert.equal(await textOf(await read()), 'retry: 2000\n\n')
})

test('a source is told of other rights and of the end, once', async () => {
  const changed = { ...caller, is_frozen: true } as Caller
  const told: unknown[] = []
  let close: () => void = () => {}
  const source: StreamOpening['source'] = (stream) => {
    close = () => stream.end()
    return {
      drained: () => {},
      closed: () => void told.push('closed'),
      callerChanged: (known) => void told.push(known),
    }
  }
  const { read } = await serve(silence, { check: 10 }, { authenticate: () => changed, source })
  const text = textOf(await read())
  await eventually('the source is told of other rights', () => told.length > 0)
  close()
  close()
  await text
  assert.deepEqual(told, [changed, 'closed'])
})

test('a reader that leaves more than 256 KiB unread is disconnected at once', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x')
  const most = 64 * 1024 * 1024
  let given = 0
  const source: StreamOpening['source'] = (stream) => {
    const write = () => {
      if (stream.is_closed || given >= most) return
      stream.write(piece)
      given += piece.length
      setImmediate(write)
    }
    write()
    return { drained: () => {}, closed: () => {} }
  }
  const { read, ended, streams } = await serve(silence, {}, { source })
  const response = await read()
  response.pause()
  await Promise.all(ended)
  assert.equal(streams.count('acme'), 0)
  // Beside the bound, only the buffers of the connection hold bytes.
  assert.ok(given < most, `${given} bytes`)
})

test('nothing is read ahead of a slow reader, and a reader that takes nothing is disconnected', async () => {
  const data = 'x'.repeat(64 * 1024)
  let given = 0
  const { read, ended, streams } = await serve(
    async function* () {
      for (;;) yield [{ id: String(++given), data }]
    },
    { stall: 300 },
  )
  const response = await read()
  response.pause()
  await Promise.all(ended)
  // The buffers of the connection hold some megabytes; the stream would have sent gigabytes by now.
  assert.ok(given < 1_000, `${given} entries`)
  assert.equal(streams.count('acme'), 0)
})

test('a stream ends when its reader disconnects, and closing ends all streams and starts none', async () => {
  const { read, ended, streams } = await serve(silence)
  const [gone, stays] = [await read(), await read()]
  gone.destroy()
  await Promise.race(ended)
  assert.equal(streams.count('acme'), 1)
  const last = textOf(stays)
  streams.close()
  assert.equal(await last, 'retry: 2000\n\n')
  assert.equal(await textOf(await read()), 'retry: 2000\n\n')
})

test('a stream that fails ends, and its error is reported', async () => {
  const { read, failures } = await serve(async function* () {
    yield [{ id: '1', data: '{}' }]
    throw new Error('away')
  })
  assert.match(await textOf(await read()), /id: 1/)
  assert.equal((failures[0] as Error).message, 'away')
})
