import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'vitest'
import { areas, pureFilesOf, servicesOf } from './areas.ts'
import { linesOf } from './changed-lines.ts'
import { tryWhole } from './try-areas.ts'

test('lines that are new or differ are taken, lines that are gone are not', () => {
  const difference = [
    'diff --git a/a.rules.ts b/a.rules.ts',
    '--- a/a.rules.ts',
    '+++ b/a.rules.ts',
    '@@ -3 +3 @@ function one() {',
    '-  return 1',
    '+  return 2',
    '@@ -10,0 +11,4 @@',
    '+',
    '@@ -20,2 +24,0 @@',
    '-  gone()',
    'diff --git a/gone.rules.ts b/gone.rules.ts',
    '--- a/gone.rules.ts',
    '+++ /dev/null',
    '@@ -1,2 +0,0 @@',
    'diff --git a/b.rules.ts b/b.rules.ts',
    '--- /dev/null',
    '+++ b/b.rules.ts',
    '@@ -0,0 +1,9 @@',
  ].join('\n')
  assert.deepEqual(linesOf(difference), ['a.rules.ts:3-3', 'a.rules.ts:11-14', 'b.rules.ts:1-9'])
})

test('each area has files of pure code, and no file is tried twice', () => {
  const pure = areas.map(pureFilesOf)
  for (const [index, own] of pure.entries()) assert.ok(own.length > 0, areas[index]?.name)
  const all = [...pure, ...areas.map(servicesOf)].flat()
  assert.equal(new Set(all).size, all.length)
})

test('each name of tests of an area is that of a file', () => {
  for (const { name, tests = [] } of areas) {
    for (const one of tests) {
      const missing = alternativesOf(one).filter((path) => globSync(`packages/${path}.test.ts`).length === 0)
      assert.deepEqual(missing, [], name)
    }
  }
})

/** `a/{b,c}` as `a/b` and `a/c`. */
function alternativesOf(glob: string): string[] {
  const [, before = glob, names = '', after = ''] = /^(.*?)\{(.*?)\}(.*)$/.exec(glob) ?? []
  return names.split(',').map((one) => `${before}${one}${after}`)
}

test('a name that no area has is told', async () => {
  const [problem] = await tryWhole(['money', 'nothing'])
  assert.match(problem ?? '', /^no area is called nothing: money, market/)
})
