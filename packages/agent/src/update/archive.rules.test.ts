import assert from 'node:assert/strict'
import { unpackedEntriesMax } from '@bourse/api/fleet/agent-bundles.ts'
import { test } from 'vitest'
import { archiveProblem } from './archive.rules.ts'

type TarEntry = { readonly name: string; readonly type?: string; readonly link?: string; readonly content?: string }

function entry({ name, type = '0', link = '', content = '' }: TarEntry): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(content.length.toString(8).padStart(11, '0'), 124)
  header.write('        ', 148)
  header.write(type, 156)
  header.write(link, 157)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  body.write(content)
  return Buffer.concat([header, body])
}

const tarOf = (...entries: TarEntry[]) => Buffer.concat([...entries.map(entry), Buffer.alloc(1024)])

test('files, folders and links that stay inside may be unpacked', () => {
  const tar = tarOf(
    { name: 'packages/', type: '5' },
    { name: 'packages/a.ts', content: 'x'.repeat(700) },
    { name: 'node_modules/@bourse/api', type: '2', link: '../../packages/api' },
  )
  assert.equal(archiveProblem(tar), undefined)
})

test('what leads outside, is no file, or is damaged is refused', () => {
  const wrong: readonly (readonly [RegExp, Buffer])[] = [
    [/would lie outside/, tarOf({ name: '/etc/passwd' })],
    [/would lie outside/, tarOf({ name: '../up' })],
    [/would lie outside/, tarOf({ name: 'a/../../up' })],
    [/leads out of it/, tarOf({ name: 'a', type: '2', link: '/etc' })],
    [/leads out of it/, tarOf({ name: 'a/b', type: '2', link: '../../etc' })],
    [/neither a file/, tarOf({ name: 'a', type: '1', link: 'b' })],
    [/neither a file/, tarOf({ name: 'a', type: '3' })],
    [/neither a file/, tarOf({ name: 'a', type: 'x', content: 'path=/etc/passwd' })],
    [/damaged/, tarOf({ name: 'a', type: '2', link: 'b', content: 'x' })],
    [/damaged/, tarOf({ name: 'a/', type: '5', content: 'x' })],
    [/damaged/, tarOf({ name: 'a/', content: 'x' })],
    [/empty/, tarOf()],
    [/cut off/, entry({ name: 'a' })],
    [/damaged/, Buffer.concat([Buffer.alloc(512, 'x'), Buffer.alloc(1024)])],
    [/more than/, tarOf(...Array.from({ length: unpackedEntriesMax + 1 }, (_, n) => ({ name: `f${n}` })))],
  ]
  for (const [problem, tar] of wrong) assert.match(archiveProblem(tar) ?? '', problem)
})
