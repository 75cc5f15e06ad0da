/** The files of the console as the server sends them: what a browser may do with them, and how long it keeps them. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()

/** The names of the scripts and styles that the page loads. */
async function filesOfPage(): Promise<string[]> {
  const html = await (await fetch(`${server.url}/console`)).text()
  const names = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(names.some((name) => name.endsWith('.js')) && names.some((name) => name.endsWith('.css')), html)
  return names
}

test('each page of the console is one file, whose policy lets nothing of other origins in', async () => {
  const bodies = new Set<string>()
  for (const path of ['/console', '/console/', '/console/orders', '/console/no/such/page']) {
    const response = await fetch(server.url + path)
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/html; charset=utf-8'], path)
    const policy = response.headers.get('content-security-policy')?.split('; ')
    assert.deepEqual(policy, [
      "default-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types bourse-worker',
    ])
    const others = ['x-frame-options', 'x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy']
    assert.deepEqual(
      others.map((name) => response.headers.get(name)),
      ['DENY', 'nosniff', 'same-origin', 'same-origin'],
    )
    // A new version has other files, so the page that names them is asked for each time.
    assert.doesNotMatch(response.headers.get('cache-control') ?? '', /immutable|max-age=[1-9]/)
    const html = await response.text()
    assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\son\w+=/, 'nothing runs that stands in the page itself')
    bodies.add(html)
  }
  assert.equal(bodies.size, 1)
})

test('scripts and styles are compressed, and kept for good under names that change with them', async () => {
  for (const path of await filesOfPage()) {
    assert.match(path, /-[\w-]{8}\.(?:js|css|svg|woff2)$/)
    for (const encoding of ['br', 'gzip']) {
      const response = await fetch(server.url + path, { headers: { 'accept-encoding': encoding } })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      // Pictures are small, and fonts are compressed in themselves.
      const isPacked = /\.(?:js|css)$/.test(path)
      if (isPacked) assert.equal(response.headers.get('content-encoding'), encoding, path)
      const etag = response.headers.get('etag') ?? ''
      const again = await fetch(server.url + path, { headers: { 'accept-encoding': encoding, 'if-none-match': etag } })
      assert.deepEqual([again.status, (await again.arrayBuffer()).byteLength], [304, 0])
    }
  }
})

test('only files of the console are sent', async () => {
  for (const name of ['none.js', '..%2Findex.html', '%2e%2e%2f%2e%2e%2fpackage.json', 'index.html']) {
    const response = await fetch(`${server.url}/console/assets/${name}`)
    assert.equal(response.status, 404, name)
    assert.equal(await response.text(), 'The console has no such file.\n')
  }
})
