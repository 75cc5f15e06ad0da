import assert from 'node:assert/strict'
import { test } from 'vitest'
import { commentedNames } from './comment-names.ts'
import { check } from './snippets.ts'

const path = 'packages/server/src/market/a.rules.ts'

function found(code: string, others: Readonly<Record<string, string>> = {}): string[] {
  return check([commentedNames], { [path]: code, ...others })
}

test('a name in the backticks of a comment must stand in the code of the file', () => {
  const code = `/** Waits until it is newer than \`seen\`, for at most \`seconds\`. */
export function wait(since: number, seconds: number) {
  // Calls \`wait()\` with \`two words\`.
}
`
  assert.deepEqual(found(code), [`${path}:1 no code here holds 'seen': name it as it is called, or describe it`])
})

test('a name of several words may stand in other code, the schema or the contract', () => {
  const code = '// `readBook`, `book_states`, `has_more` and `usedToBe`.\nexport const a = 1\n'
  const others = {
    'packages/server/src/market/b.rules.ts': 'export function readBook() {}\n// usedToBe\n',
    'migrations/schema.sql': 'create table book_states (id text);',
    'openapi.json': '{ "has_more": true }',
  }
  assert.deepEqual(found(code, others), [
    `${path}:1 no code here holds 'usedToBe': name it as it is called, or describe it`,
  ])
})

test('codes of errors, tables and ranks of locks may be of one word', () => {
  const code = `// Refuses \`forbidden\`. Locks rows of \`orders\` (rank \`books\`), not rank \`shelves\` or \`books\`.
export const a = 1
`
  const others = {
    'docs/errors.md': '### forbidden\n\nThe role `books` does not matter.\n',
    'migrations/schema.sql': 'CREATE TABLE orders (id text);',
    'packages/server/src/core/work/locks.ts': 'export const ranks = { books: 1 }\n',
  }
  const message = (name: string) => `${path}:1 no code here holds '${name}': name it as it is called, or describe it`
  assert.deepEqual(found(code, others), [message('shelves'), message('books')])
})

test('the line of a finding is that of the name', () => {
  assert.deepEqual(
    found('/**\n * First.\n * Then `gone`.\n */\nexport const a = 1\n').map((line) => line.split(' ')[0]),
    [`${path}:3`],
  )
})
