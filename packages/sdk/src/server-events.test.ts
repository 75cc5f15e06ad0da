import assert from 'node:assert/strict'
import { test } from 'vitest'
import { readServerEvents, type ServerEvent } from './server-events.ts'

/** The events of a stream of these pieces, each as `type|id|data`, and the waits that it asks for. */
async function read(pieces: readonly (string | Uint8Array)[]) {
  const bytes = pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece))
  const retries: number[] = []
  const events: ServerEvent[] = []
  const retry = (milliseconds: number) => void retries.push(milliseconds)
  for await (const event of readServerEvents(ReadableStream.from(bytes), { retry })) events.push(event)
  return { events: events.map(({ event = '', id, data }) => `${event}|${id}|${data}`), retries }
}

const table: readonly (readonly [name: string, text: string, events: readonly string[]])[] = [
  ['lines that end with a line feed', 'id: 1\ndata: a\n\n', ['|1|a']],
  ['lines that end with a carriage return', 'id: 1\rdata: a\r\rdata: b\r\r', ['|1|a', '|1|b']],
  ['lines that end with both', 'id: 1\r\ndata: a\r\n\r\ndata: b\r\n\r\n', ['|1|a', '|1|b']],
  ['lines that end in different ways', 'data: a\ndata: b\r\ndata: c\r\n\r', ['||a\nb\nc']],
  ['a byte order mark', '\uFEFFdata: a\n\n', ['||a']],
  ['a byte order mark within', 'data: a\n\n\uFEFFdata: b\n\ndata: c\n\n', ['||a', '||c']],
  ['comments', ': hello\n:\n:data: no\ndata: a\n: between\n\n', ['||a']],
  ['data of several lines', 'data: a\ndata:\ndata: c\n\n', ['||a\n\nc']],
  ['a field without a colon', 'data\n\ndata\ndata\n\n', ['||', '||\n']],
  ['one space after the colon', 'data:a\n\ndata: a\n\ndata:  a\n\n', ['||a', '||a', '|| a']],
  ['colons in the value', 'data: a: b:c\n\n', ['||a: b:c']],
  ['types', 'event: gap\ndata: a\n\ndata: b\n\nevent: message\ndata: c\n\n', ['gap||a', '||b', '||c']],
  ['a type without data', 'event: gap\n\ndata: b\n\n', ['||b']],
  ['an id that goes on', 'id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n', ['|7|a', '|7|b', '||c']],
  ['an id without data', 'id: 7\n\ndata: b\n\n', ['|7|b']],
  ['an id with a null', 'id: 7\ndata: a\n\nid: 8\0\ndata: b\n\n', ['|7|a', '|7|b']],
  ['unknown fields, and names in capitals', 'foo: 1\nDATA: no\n data: no\ndata: a\n\n', ['||a']],
  ['an event without its empty line', 'data: a\n\ndata: b\n', ['||a']],
  ['empty lines', '\n\r\n\r\r\ndata: a\n\n\n\n', ['||a']],
]

for (const [name, text, events] of table) {
  test(`a stream of server-sent events is read, however it is cut: ${name}`, async () => {
    const bytes = new TextEncoder().encode(text)
    assert.deepEqual((await read([text])).events, events)
    assert.deepEqual((await read([...bytes].map((byte) => Uint8Array.of(byte)))).events, events)
    for (let at = 1; at < bytes.length; at++) {
      assert.deepEqual((await read([bytes.subarray(0, at), bytes.subarray(at)])).events, events)
    }
  })
}

test('what a stream asks to wait is passed on where it is a number', async () => {
  const { retries } = await read(['retry: 2000\nretry: soon\nretry: -1\nretry: 1.5\nretry:\nretry: 0\n'])
  assert.deepEqual(retries, [2000, 0])
})

test('an event longer than any of the API is refused, in one line or in many', async () => {
  const piece = 'x'.repeat(1024 * 1024)
  const pieces = Array.from({ length: 17 }, () => piece)
  await assert.rejects(read(['data: ', ...pieces]), RangeError)
  await assert.rejects(read(pieces.map((one) => `data: ${one}\n`)), RangeError)
  assert.equal((await read([...pieces.slice(2).map((one) => `data: ${one}\n`), '\n'])).events.length, 1)
})
