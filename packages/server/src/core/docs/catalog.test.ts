import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { areaPages, areas } from '@bourse/api/areas.ts'
import { test } from 'vitest'
import { linkTarget, listPages } from './catalog.ts'
import { listOperations, operationLinks } from './operations.ts'
import { renderSite } from './site.ts'

const root = join(import.meta.dirname, '../../../../..')
const pages = listPages(root)

test('every page has a path of its own below /docs and a file of the program', () => {
  assert.ok(pages.length > 20)
  assert.equal(new Set(pages.map(({ path }) => path)).size, pages.length)
  for (const { path, file } of pages) {
    assert.match(path, /^\/docs\/[a-z-]+(\/[a-z-]+)?$/)
    assert.ok(existsSync(join(root, file)), file)
  }
})

test('a link of a document leads to its page, the description of the API or another site, and else nowhere', () => {
  const from = 'docs/guides/trading.md'
  const ending = '.md'
  const documents = {
    '../concepts/market': '/docs/concepts/market',
    '../concepts/README': '/docs/concepts',
    '../../packages/sdk/README': '/docs/sdk',
    '../decisions/001-swagger-ui': undefined,
    '../../../../etc/passwd': undefined,
  }
  for (const [written, target] of Object.entries(documents)) {
    assert.equal(linkTarget(pages, from, written + ending), target, written)
    assert.equal(linkTarget(pages, from, `${written + ending}#holds`), target && `${target}#holds`, written)
  }
  const others = {
    '../../openapi.json': '/openapi.json',
    '#buy': '#buy',
    'https://example.com/a#b': 'https://example.com/a#b',
    'javascript:alert(1)': undefined,
  }
  for (const [written, target] of Object.entries(others)) assert.equal(linkTarget(pages, from, written), target)
})

test('text that names an operation leads to it in the reference', () => {
  const link = operationLinks(listOperations())
  assert.equal(link('POST /v2/orders'), '/docs#tag/orders/create_order')
  assert.equal(link('GET /v2/instances/<id>'), link('GET /v2/instances/{id}'))
  assert.match(link('GET /v2/skus?limit=2') ?? '', /^\/docs#tag\/instance-sku-catalog\/list_skus$/)
  assert.equal(link('POST /v2/nothing'), undefined)
})

test('every link between the pages, and from the areas of the reference, leads to a page and a heading', () => {
  const site = renderSite(root)
  const anchors = new Map([...site.pages].map(([path, html]) => [path, new Set(html.match(/(?<= id=")[^"]+/g))]))
  const check = (address: string, from: string) => {
    const [path = '', anchor] = address.split('#')
    const there = anchors.get(path)
    assert.ok(there, `${from}: ${address}`)
    if (anchor !== undefined) assert.ok(there.has(anchor), `${from}: ${address}`)
  }
  for (const [path, html] of site.pages) {
    const links = (html.match(/(?<=href=")(#|\/docs\/)[^"]*/g) ?? []).filter((href) => !/\.(css|js)$/.test(href))
    for (const href of links) check(href.startsWith('#') ? path + href : href, path)
  }
  for (const [area, address] of Object.entries(areaPages)) {
    assert.ok(area in areas, area)
    check(address, area)
  }
  for (const { address } of site.found) if (!address.startsWith('/docs#')) check(address, 'search')
})
