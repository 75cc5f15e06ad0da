/** The reference and the guides as pages of the server, over HTTP. Another level opens them in a browser. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { areas } from '@bourse/api/areas.ts'
import { endpoints } from '@bourse/api/contract.ts'
import { withStreams } from '@bourse/api/kit/endpoint.ts'
import MiniSearch from 'minisearch'
import { test } from 'vitest'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()

function get(path: string, headers: Record<string, string> = {}) {
  return server.request('GET', path, { token: null, headers })
}

/** Every address of this server that a page names. */
function addressesIn(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(\/[^"#]*)/g)].map(([, path]) => path as string)
}

test('get_docs and all pages that can be reached from it are there, with files of this server only', async () => {
  const seen = new Set<string>()
  const open = ['/docs']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    // The console has pages and tests of its own.
    if (seen.has(path) || path.startsWith('/console')) continue
    seen.add(path)
    const { status, text, headers } = await get(path)
    assert.equal(status, 200, path)
    const type = String(headers.get('content-type'))
    assert.match(
      type,
      /^(text\/(html|css|javascript|markdown)|application\/json|image\/svg\+xml); charset=utf-8$/,
      path,
    )
    if (!type.startsWith('text/html')) continue
    assert.doesNotMatch(text, /<(script|img|link)[^>]*(?:src|href)="(?:https?:)?\/\//, path)
    assert.doesNotMatch(text, /<script(?![^>]*src=)|<style|\sstyle="|\son[a-z]+="/, path)
    open.push(...addressesIn(text))
  }
  const picture = '/docs/images/notice.svg'
  for (const path of [
    '/docs/guides/trading',
    '/docs/concepts/market',
    '/docs/errors',
    '/docs/sdk',
    '/openapi.json',
    picture,
  ])
    assert.ok(seen.has(path), path)
})

test('guides come first, the reference has text before its script, and all pages lead to the console', async () => {
  const { text: overview } = await get('/docs/guides')
  const links = addressesIn(overview.slice(overview.indexOf('<header>')))
  assert.deepEqual(links.slice(1, 3), ['/docs/guides', '/docs'])
  assert.ok(links.includes('/console'))
  assert.equal(
    links.find((path) => path.startsWith('/docs/guides/')),
    '/docs/guides/first-hour',
  )
  const { text: reference } = await get('/docs')
  assert.match(reference, /<main[^>]*>[\s\S]*The reference is loading[\s\S]*first-hour[\s\S]*<\/main>/)
  assert.ok(addressesIn(reference).includes('/console'))
})

test('the policy of a page allows scripts and requests of this server only, and no frame around it', async () => {
  for (const path of ['/docs', '/docs/guides', '/docs/concepts/market']) {
    const policy = String((await get(path)).headers.get('content-security-policy'))
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.split('; ').includes(rule), `${path}: ${rule}`)
    assert.doesNotMatch(policy, /unsafe-eval|script-src[^;]*unsafe|https?:|\*/, path)
    assert.equal(policy.includes('unsafe-inline'), path === '/docs')
  }
})

test('pages and their files support caching and compression', async () => {
  for (const path of [
    '/openapi.json',
    '/docs',
    '/docs/guides/trading',
    '/llms.txt',
    '/docs/search.json',
    '/docs/scalar.js',
  ]) {
    const plain = await get(path, { 'accept-encoding': 'identity' })
    assert.equal(plain.headers.get('content-encoding'), null)
    for (const encoding of ['gzip', 'br']) {
      const first = await get(path, { 'accept-encoding': encoding })
      assert.deepEqual([first.status, first.headers.get('content-encoding')], [200, encoding])
      assert.ok(first.text === plain.text, path)
      const etag = String(first.headers.get('etag'))
      const again = await get(path, { 'accept-encoding': encoding, 'if-none-match': etag })
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag], path)
      assert.equal((await get(path, { 'accept-encoding': 'identity', 'if-none-match': etag })).status, 200, path)
    }
  }
})

test('llms.txt lists the pages as Markdown, each of which is there', async () => {
  const { version, commit } = (await get('/version')).body
  const { text, headers } = await get('/llms.txt')
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.ok(text.includes(`Bourse ${version}, commit ${commit}`))
  assert.equal((await get('/docs/llms.txt')).text, text)
  const addresses = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, address]) => address as string)
  assert.ok(addresses.length > 60)
  for (const address of addresses) {
    const { status, headers } = await get(address)
    assert.equal(status, 200, address)
    if (address.startsWith('/docs/llms')) continue
    const type = address.endsWith('.json') ? 'application/json' : 'text/markdown'
    assert.equal(headers.get('content-type'), `${type}; charset=utf-8`, address)
  }
})

test('every other path below /docs is 404, whatever it looks like', async () => {
  const paths = [
    '/docs/',
    '/docs/package.json',
    '/docs/guides/trading.html',
    '/docs/guides/%2e%2e/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/guides/..%5c..%5cpackage.json',
    '/docs/guides/trading%00',
    '/docs/%252e%252e/package.json',
    '/docs/decisions/002-architecture-rules-as-a-script',
    `/docs/${'a'.repeat(4000)}`,
    `/docs/${'a/'.repeat(2000)}`,
  ]
  for (const path of paths) {
    const { status, body } = await get(path)
    assert.deepEqual([status, body.error.type], [404, 'not_found'], path.slice(0, 60))
  }
  assert.equal((await get('/docs/%zz')).status, 400)
})

test('pages are read only: HEAD has no body, and other methods are 405', async () => {
  for (const path of ['/docs', '/docs/guides/trading', '/docs/site.css']) {
    const head = await server.request('HEAD', path, { token: null })
    assert.deepEqual([head.status, head.text], [200, ''], path)
    const posted = await server.request('POST', path, { token: null })
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'], path)
  }
})

test('a search finds sections of pages and operations, each with its address', async () => {
  const found: { id: number; address: string; title: string; heading: string; text: string }[] = (
    await get('/docs/search.json')
  ).body
  assert.ok(found.length > 400)
  assert.deepEqual(
    found.map(({ id }) => id),
    found.map((_, index) => index),
  )
  const holds = found.find(({ address }) => address === '/docs/concepts/market#holds')
  assert.deepEqual([holds?.title, holds?.heading], ['The market', 'Holds'])
  const replace = found.find(({ address }) => address === '/docs#tag/instances/replace_instance')
  assert.equal(replace?.heading, 'POST /v2/instances/{id}/replace')
})

/** Searches as the pages do: with their options and their order. */
async function openSearch(): Promise<(asked: string) => { address: string }[]> {
  const { text } = await get('/docs/site.js')
  const [, options = ''] = /new MiniSearch\((\{[\s\S]*?\n {2}\})\)/.exec(text) ?? []
  const [order = ''] = /function namedFirst\([\s\S]*?\n\}/.exec(text) ?? []
  const search = new MiniSearch(runInNewContext(`(${options})`))
  search.addAll((await get('/docs/search.json')).body)
  const namedFirst = runInNewContext(`(${order})`)
  return (asked) => [...namedFirst(search.search(asked), asked)]
}

test('the title of an operation finds it first, also without its articles', async () => {
  const search = await openSearch()
  for (const { name, summary, area } of withStreams(endpoints)) {
    if (!(area in areas)) continue
    for (const asked of [summary, summary.replaceAll(/\b(an?|the) /g, '').toLowerCase()]) {
      const [first] = search(asked)
      assert.ok(first?.address.endsWith(`/${name}`), `${asked}: ${first?.address}`)
    }
  }
})

test('what people search for leads to an answer', async () => {
  const search = await openSearch()
  const answers = {
    faq: '/docs/faq',
    glossary: '/docs/glossary',
    invoice: '/docs/faq#can-i-get-an-invoice',
    kubernetes: '/docs/faq#can-i-run-kubernetes',
    python: '/docs/faq#is-there-a-python-client',
    uptime: '/docs/faq#what-uptime-is-promised',
    'persistent disk': '/docs/faq#is-there-a-persistent-disk',
    backup: '/docs/faq#is-there-a-backup-of-my-instance',
    port: '/docs/faq#which-port-is-open',
    configuration: '/docs/reference/configuration',
    'trust level': '/docs/reference/limits#by-trust-level',
  }
  for (const [asked, address] of Object.entries(answers)) {
    const found = search(asked).slice(0, 5)
    assert.ok(
      found.some((one) => one.address === address),
      `${asked}: ${found.map((one) => one.address).join(' ')}`,
    )
  }
})

test('the errors and headers that the conventions of the API show are those that a server sends', async () => {
  const page = readFileSync(new URL('../../../../docs/reference/api-conventions.md', import.meta.url), 'utf8')
  const blocks = (language: string) =>
    [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(([, one]) => one === language)
  const [list, error] = blocks('json').map(([, , text = '']) => JSON.parse(text))
  const refused = await server.request('GET', '/v2/orders/nope')
  assert.deepEqual([refused.status, refused.body], [400, error])
  const { body, headers } = await server.request('GET', '/v2/orders')
  assert.deepEqual(body, list)
  const shown = blocks('text').find(([, , text = '']) => text.startsWith('RateLimit')) ?? assert.fail('no headers')
  for (const line of (shown[2] ?? '').trim().split('\n')) {
    const [name = '', value = ''] = line.split(': ')
    const shape = (text: string | null) => text?.replaceAll(/\d+/g, '0')
    assert.equal(shape(headers.get(name)), shape(value), name)
  }
})
