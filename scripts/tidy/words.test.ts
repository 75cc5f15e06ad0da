import assert from 'node:assert/strict'
import { test } from 'vitest'
import { check } from './snippets.ts'
import { classes, deadComments, docComments, fileNames, leftoverMarkers } from './words.ts'

const core = 'packages/server/src/core'

test('the name of a file names its content', () => {
  const files = {
    [`${core}/order-utils.ts`]: '',
    [`${core}/helpers.ts`]: '',
    [`${core}/data-directory.ts`]: '',
    [`${core}/index.ts`]: '',
    [`${core}/orderBook.ts`]: '',
    [`${core}/order-book.rules.test.ts`]: '',
  }
  assert.deepEqual(
    check([fileNames], files).map((line) => line.replace(`${core}/`, '')),
    [
      "order-utils.ts:1 'utils' has no meaning: name the file by its noun",
      "helpers.ts:1 'helpers' has no meaning: name the file by its noun",
      'index.ts:1 name the file by its content, not index',
      'orderBook.ts:1 file names are kebab-case: noun.role.ts',
    ],
  )
})

test('markers of open work, suppressions and skipped tests are found', () => {
  const found = check([leftoverMarkers], {
    'migrations/0002_iam.sql': '-- FIXME later',
    [`${core}/a.ts`]: '// biome-ignore lint: because\n// a method is todo-free',
    [`${core}/a.test.ts`]: "test.skip('a', () => {})\ntest('b', () => {})",
  })
  assert.deepEqual(
    found.map((line) => line.split(' ')[0]),
    ['migrations/0002_iam.sql:1', `${core}/a.ts:1`, `${core}/a.test.ts:1`],
  )
})

test('commented-out code is found, a comment about code is not', () => {
  const file = [
    '// const old = compute(1)',
    '// return early when the pool is empty',
    '// if (ready) {',
    '// start(now);',
    '// for each host (also drained ones) one row',
  ].join('\n')
  assert.deepEqual(
    check([deadComments], { [`${core}/a.ts`]: file }).map((line) => line.split(' ')[0]),
    [`${core}/a.ts:1`, `${core}/a.ts:3`, `${core}/a.ts:4`],
  )
})

test('a class owns a resource or is a refusal', () => {
  const files = {
    [`${core}/base/refusal.ts`]: 'export class Refusal extends Error {}',
    [`${core}/pool.ts`]: 'export class Pool {\n  async [Symbol.asyncDispose]() {}\n}',
    [`${core}/orders.ts`]: 'export class Orders {}',
  }
  const found = check([classes], files)
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /core\/orders\.ts:1 write functions/)
})

test('an exported function of core has a doc comment, one for all its overloads', () => {
  const file = [
    '/** What it means. */',
    'export function told(): void',
    'export function told(a?: number): void {}',
    '',
    '// not a doc comment',
    'export function untold(): void {}',
    'function inner(): void {}',
  ].join('\n')
  const found = check([docComments], {
    [`${core}/a.ts`]: file,
    'packages/server/src/iam/accounts/users.service.ts': file,
  })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /a\.ts:6 an exported function/)
})
