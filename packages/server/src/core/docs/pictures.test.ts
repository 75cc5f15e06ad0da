import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { listPictures, pictureTarget } from './catalog.ts'
import { renderSite } from './site.ts'

const root = join(import.meta.dirname, '../../../../..')
const pictures = listPictures(root)
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const textsOf = (path: string) =>
  [...read(path).matchAll(/<(?:text|title|desc)\b[^>]*>([^<]+)</g)].map(([, one = '']) => one)

test('a page shows each picture, with the text of what it shows', () => {
  const html = [...renderSite(root, { version: '1.2.3', commit: 'abcdef012345' }).pages.values()].join('\n')
  assert.ok(pictures.length >= 6)
  for (const path of pictures) assert.match(html, new RegExp(`<img src="${path}" alt="[^"]{20,}">`), path)
})

test('the words of pictures are those of the glossaries and the contract', () => {
  const pages = ['docs/words.md', 'docs/glossary.md', 'openapi.json']
  const known = new Set(
    pages.flatMap(
      (path) =>
        read(path)
          .toLowerCase()
          .match(/[a-z_]+/g) ?? [],
    ),
  )
  for (const path of pictures) {
    const words = textsOf(path).flatMap((text) => text.toLowerCase().match(/[a-z_]+/g) ?? [])
    assert.ok(words.length > 10, path)
    assert.deepEqual(
      words.filter((word) => !known.has(word)),
      [],
      path,
    )
  }
})

test('a picture has a title, fits light and dark pages, and loads and runs nothing', () => {
  for (const path of pictures) {
    assert.match(read(path), /<svg [^>]*aria-labelledby="title desc">\s*<title id="title">/, path)
    assert.match(read(path), /@media \(prefers-color-scheme: dark\)/, path)
    assert.doesNotMatch(read(path), /<script|<image|<foreignObject|href=|url\((?!#)|\son\w+=/, path)
  }
})

test('only pictures of the folder have an address', () => {
  assert.equal(
    pictureTarget(pictures, 'docs/concepts/preemption.md', '../images/notice.svg'),
    '/docs/images/notice.svg',
  )
  for (const written of ['../images/market.png', '../../../notice.svg', 'https://example.com/notice.svg', 'notice.svg'])
    assert.equal(pictureTarget(pictures, 'docs/concepts/preemption.md', written), undefined, written)
})
