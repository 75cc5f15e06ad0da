import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { test } from 'vitest'
import { createStaticContent, staticResponse } from './static-content.ts'

const text = 'Bourse '.repeat(200)
const content = createStaticContent(Buffer.from(text), 'text/plain; charset=utf-8')

/** The headers of a response by their names. */
function headersOf({ headers }: { readonly headers: readonly string[] }): Record<string, string> {
  const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] as string] as const] : []))
  return Object.fromEntries(pairs)
}

function ask(headers: { 'accept-encoding'?: string; 'if-none-match'?: string }) {
  const response = staticResponse(content, headers)
  return { ...response, headers: headersOf(response) }
}

test('a client gets the encoding that it accepts, compressed once, or else the plain bytes', () => {
  const plain = ask({})
  assert.deepEqual([plain.status, String(plain.body), plain.headers['Content-Encoding']], [200, text, undefined])
  const gzip = ask({ 'accept-encoding': 'gzip, deflate' })
  assert.deepEqual([gzip.headers['Content-Encoding'], String(gunzipSync(gzip.body as Buffer))], ['gzip', text])
  const brotli = ask({ 'accept-encoding': 'gzip, deflate, br' })
  assert.deepEqual(
    [brotli.headers['Content-Encoding'], String(brotliDecompressSync(brotli.body as Buffer))],
    ['br', text],
  )
  assert.equal(ask({ 'accept-encoding': 'br;q=0.5' }).body, brotli.body)
  for (const header of ['', 'identity', 'br;q=0, gzip;q=0', 'deflate']) {
    assert.equal(String(ask({ 'accept-encoding': header }).body), text, header)
  }
  assert.equal(ask({ 'accept-encoding': '*' }).headers['Content-Encoding'], 'br')
  for (const { headers } of [plain, gzip, brotli]) assert.equal(headers.Vary, 'Accept-Encoding')
})

test('a client that has the bytes in its encoding gets a 304, and every other client the bytes', () => {
  const tags = ['', 'gzip', 'br'].map((encoding) => ask({ 'accept-encoding': encoding }).headers.ETag as string)
  assert.equal(new Set(tags).size, 3)
  for (const [at, encoding] of ['', 'gzip', 'br'].entries()) {
    for (const [other, tag] of tags.entries()) {
      for (const header of [tag, `W/${tag}`, `"x", ${tag}`]) {
        const { status, body, headers } = ask({ 'accept-encoding': encoding, 'if-none-match': header })
        assert.equal(status, at === other ? 304 : 200, header)
        assert.equal(body === undefined, at === other, header)
        assert.equal(headers.ETag, tags[at], header)
      }
    }
  }
  assert.equal(ask({ 'if-none-match': '*' }).status, 304)
  assert.equal(ask({ 'if-none-match': 'rubbish' }).status, 200)
})
