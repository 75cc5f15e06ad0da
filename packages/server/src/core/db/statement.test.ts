import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'

// A connection refuses a second text under a known name, but only once it has met both.
test('every prepared statement of the server has a name of its own', () => {
  const cwd = join(import.meta.dirname, '../..')
  const names = globSync('**/*.ts', { cwd })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(cwd, file), 'utf8').matchAll(/\bstatement(?:<[^;]*?>)?\(\s*'([^']+)'/g)])
    .map(([, name]) => name)
  assert.ok(names.length > 400)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})
