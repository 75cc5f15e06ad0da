import assert from 'node:assert/strict'
import { test } from 'vitest'
import { exportsAreUsed } from './exports.ts'
import { check } from './snippets.ts'

const server = 'packages/server/src/core/base'

test('an exported name that no other file uses is reported, a type too', () => {
  const files = {
    [`${server}/clock.ts`]:
      'export const tick = 1, tock = 2\nexport type Later = () => void\nexport function now() {}\n',
    [`${server}/wait.ts`]: "import { now, tick } from './clock.ts'\nnow(tick)\n",
    [`${server}/other.ts`]: "import { tock } from './drums.ts'\ntock()\n",
  }
  assert.deepEqual(
    check([exportsAreUsed], files).map((found) => found.split(':').slice(0, 2).join(':')),
    [`${server}/clock.ts:1 no other file uses tock`, `${server}/clock.ts:2 no other file uses Later`],
  )
})

test('a name is used by a test, by an import of the whole file, and by the text of a program', () => {
  const files = {
    'packages/agent/src/a.ts': 'export const one = 1\nexport const two = 2\nexport const three = 3\n',
    'packages/agent/src/a.test.ts': "import { one } from './a.ts'\n",
    'packages/agent/test/b.ts': "const { two } = await import('../src/a.ts')\n",
    'packages/cli/bin/c.mjs': "const program = `import { three } from '/src/a.ts'`\n",
  }
  assert.deepEqual(check([exportsAreUsed], files), [])
})

test('a function with the name of an endpoint is used where the routes of its service are bound together', () => {
  const files = {
    'packages/api/src/words.ts': "export const getWord = endpoint({ name: 'get_word' })\n",
    'packages/server/src/words/words.service.ts': 'export function getWord() {}\nexport function other() {}\n',
    'packages/server/src/words/words.routes.ts':
      "import * as words from './words.service.ts'\nconst routes = handleAll(operations, words)\n",
  }
  assert.deepEqual(
    check([exportsAreUsed], files).map((found) => found.split(':').slice(0, 2).join(':')),
    ['packages/server/src/words/words.service.ts:2 no other file uses other'],
  )
})

test('generated files and packages that others import are left out', () => {
  const files = {
    'packages/sdk/src/plain-client.ts': 'export const unused = 1\n',
    'packages/server/src/core/generated/tables.ts': 'export type Unused = string\n',
  }
  assert.deepEqual(check([exportsAreUsed], files), [])
})
