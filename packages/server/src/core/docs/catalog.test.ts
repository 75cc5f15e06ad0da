import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { areaPages, areas } from '@bourse/api/areas.ts'
import { test } from 'vitest'
import { linkTarget, listPages } from './catalog.ts'
import { renderMarkdown } from './markdown.ts'
import { listOperations, operationLinks } from './operations.ts'
import { fullListPath, listPaths, markdownPath, resolveMarkdownLinks } from './served-markdown.ts'
import { pagePaths, renderSite, textPaths } from './site.ts'

const root = join(import.meta.dirname, '../../../../..')
const pages = listPages(root)
const described = { version: '1.2.3', commit: 'abcdef012345' }
const site = renderSite(root, described)

test('every page has a path of its own below /docs and a file of the program', () => {
  assert.ok(pages.length > 20)
  assert.equal(new Set(pages.map(({ path }) => path)).size, pages.length)
  for (const { path, file } of pages) {
    assert.match(path, /^\/docs\/[a-z-]+(\/[a-z-]+)?$/)
    assert.ok(existsSync(join(root, file)), file)
  }
})

test('pages come in the order in which docs/README.md names them, and others of their folder by name', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
  const places = (group: string) =>
    pages
      .filter((page) => page.group === group)
      .map(({ file }) => index.indexOf(`](${file.replace(/^docs\//, '')}`))
      .filter((at) => at >= 0)
  for (const group of ['Guides', 'Concepts', 'Reference']) {
    assert.ok(places(group).length > 4, group)
    assert.deepEqual(
      places(group),
      places(group).toSorted((a, b) => a - b),
      group,
    )
  }
  assert.deepEqual(
    pages.slice(0, 5).map(({ path }) => path),
    ['/docs/start', '/docs/status', '/docs/faq', '/docs/glossary', '/docs/guides/first-hour'],
  )
  for (const { file } of pages.filter(({ group }) => group === 'Guides' || group === 'Reference'))
    assert.ok(index.includes(`](${file.replace(/^docs\//, '')}`), `docs/README.md does not name ${file}`)
})

test('a link of a document leads to its page, the description of the API or another site, and else nowhere', () => {
  const from = 'docs/guides/trading.md'
  const ending = '.md'
  const documents = {
    '../concepts/market': '/docs/concepts/market',
    '../concepts/README': '/docs/concepts',
    '../../packages/sdk/README': '/docs/sdk',
    '../decisions/002-architecture-rules-as-a-script': undefined,
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
  assert.equal(link('create_order'), '/docs#tag/orders/create_order')
  assert.equal(link('invalid_json'), undefined)
  assert.equal(link('POST /v2/orders'), '/docs#tag/orders/create_order')
  assert.equal(link('GET /v2/instances/<id>'), link('GET /v2/instances/{id}'))
  assert.match(link('GET /v2/skus?limit=2') ?? '', /^\/docs#tag\/instance-sku-catalog\/list_skus$/)
  assert.equal(link('POST /v2/nothing'), undefined)
})

test('every link between the pages, and from the areas of the reference, leads to a page and a heading', () => {
  const anchors = new Map([...site.pages].map(([path, html]) => [path, new Set(html.match(/(?<= id=")[^"]+/g))]))
  const check = (address: string, from: string) => {
    const [path = '', anchor] = address.split('#')
    const there = anchors.get(path)
    assert.ok(there, `${from}: ${address}`)
    if (anchor !== undefined) assert.ok(there.has(anchor), `${from}: ${address}`)
  }
  for (const [path, html] of site.pages) {
    const links = (html.match(/(?<=href=")(#|\/docs\/)[^"]*/g) ?? []).filter((href) => !/\.(css|js|md)$/.test(href))
    for (const href of links) check(href.startsWith('#') ? path + href : href, path)
  }
  for (const [area, address] of Object.entries(areaPages)) {
    assert.ok(area in areas, area)
    check(address, area)
  }
  for (const { address } of site.found) if (!address.startsWith('/docs#')) check(address, 'search')
})

/** The headings of the pages before they were divided. */
const dividedPages = {
  access: `accounts roles effects names-of-ids grants visibility lists order-of-checks tokens limited-tokens sign-in
    limits rate-limits`,
  money: `amounts balance low-balance ledger holds cost-before-commitment transactions usage effective-cost statements
    exports platform postings large-credits budgets rounding access checks`,
  hosts: `enrolment slots hardware states drain keys epochs generations reports silence traffic-between-hosts trust
    updates-of-the-agent clocks`,
}

test('pages that were divided keep their headings, since links from other places name them', () => {
  for (const [page, anchors] of Object.entries(dividedPages)) {
    const html = site.pages.get(`/docs/concepts/${page}`) ?? ''
    for (const anchor of anchors.split(/\s+/)) assert.ok(html.includes(` id="${anchor}"`), `${page}#${anchor}`)
  }
})

/** The addresses of the links of a text in Markdown, as a renderer finds them. */
function linksOf(text: string): string[] {
  const { html } = renderMarkdown(text, { resolve: (written) => written, linkCode: () => undefined })
  return [...html.matchAll(/<a href="([^"]+)"/g)].map(([, address]) => address as string)
}

test('every page is there as Markdown, with the same links, which lead to Markdown', () => {
  assert.deepEqual([...site.texts.keys()].sort(), textPaths(root).sort())
  const paths = new Set(pagePaths(root))
  for (const { path } of pages) {
    const text = site.texts.get(markdownPath(path)) ?? ''
    const [, main = ''] = /<main>([\s\S]*)<footer>/.exec(site.pages.get(path) ?? '') ?? []
    const ofPage = [...main.matchAll(/<a href="([^"]+)"/g)].map(([, address]) => address as string)
    const written = ofPage.filter((address) => !address.startsWith('/docs#'))
    const expected = written.map((address) => address.replace(/^\/docs\/[^#]*/, markdownPath))
    assert.deepEqual(linksOf(text), expected, path)
    const pictures = [...main.matchAll(/<img src="([^"]+)"/g)].map(([, address]) => address)
    const shown = [...text.matchAll(/^!\[[^\]]*\]\(([^)]+)\)$/gm)].map(([, address]) => address)
    assert.deepEqual(shown, pictures, path)
    for (const address of linksOf(text)) {
      const [to = ''] = address.split('#')
      assert.ok(!to.startsWith('/docs') || (to.endsWith('.md') && paths.has(to.slice(0, -3))), `${path}: ${address}`)
    }
  }
})

test('a page as Markdown keeps its code, and a link to nowhere becomes text', () => {
  const written = '[a](x) `[b](x)` [`c`](x) [two\nlines](x#y) ![d](x) [e](gone)\n\n```sh\n[f](x)\n```\n\n[g](x)'
  const resolved = resolveMarkdownLinks(written, (address) => (address === 'gone' ? undefined : `/${address}`))
  const expected = '[a](/x) `[b](x)` [`c`](/x) [two\nlines](/x#y) ![d](/x) e\n\n```sh\n[f](x)\n```\n\n[g](/x)'
  assert.equal(resolved, expected)
})

test('the lists of pages for programs name every page once, with a sentence, and are bounded', () => {
  const markdown = pages.map(({ path }) => markdownPath(path))
  for (const path of listPaths) {
    const text = site.texts.get(path) ?? ''
    assert.match(text, /^# Bourse\n\n> Bourse is .*\.\n/)
    const named = linksOf(text).filter((address) => address.endsWith('.md'))
    assert.deepEqual(named.sort(), [...markdown].sort())
    for (const line of text.split('\n').filter((one) => one.startsWith('- ')))
      assert.match(line, /^- \[[^\]]+\]\(\/[\w./-]+\): \S/, line)
  }
  const full = site.texts.get(fullListPath) ?? ''
  for (const path of markdown) assert.ok(full.includes(site.texts.get(path) as string), path)
  assert.ok(Buffer.byteLength(full) < 1_000_000, `${Buffer.byteLength(full)} bytes: leave it out, or raise its bound`)
})

test('every page names the version that it describes and leads to its Markdown', () => {
  const sentence = 'This page describes Bourse 1.2.3, commit abcdef012345. Each server serves'
  for (const path of pagePaths(root)) {
    const html = site.pages.get(path) ?? ''
    assert.ok(html.includes(`<link rel="alternate" type="text/markdown" href="${markdownPath(path)}">`), path)
    assert.ok(html.includes(`<footer>${sentence}`), path)
    assert.ok(site.texts.get(markdownPath(path))?.includes(sentence), path)
  }
})
