import assert from 'node:assert/strict'
import { test } from 'vitest'
import { fileSizes, functionSizes, lineWidths } from './sizes.ts'
import { check } from './snippets.ts'

const body = (lines: number) => Array.from({ length: lines }, (_, i) => `  const a${i} = ${i}`).join('\n')

test('a file is reported as large above 600 lines, a test above 1,000, a generated one never', () => {
  const files = {
    'packages/server/src/core/big.ts': body(601),
    'packages/server/src/core/fits.ts': `${body(600)}\n`,
    'packages/server/src/core/fits.test.ts': body(1000),
    'packages/server/src/core/generated/tables.ts': body(1100),
  }
  assert.deepEqual(check([fileSizes], files), [
    'packages/server/src/core/big.ts:600 601 lines, more than 600: does it hold two nouns, or two purposes?',
  ])
})

test('a function has 70 lines at most; describe() only groups', () => {
  const files = {
    'scripts/a.ts': `function fits() {\n${body(68)}\n}\n\nconst grows = () => {\n${body(69)}\n}\n`,
    'scripts/a.test.ts': `describe('a', () => {\n${body(100)}\n})\n`,
  }
  assert.deepEqual(check([functionSizes], files), [
    'scripts/a.ts:72 a function of 71 lines, 70 at most: extract its steps into functions',
  ])
})

test('a line has 120 columns at most, in code and in migrations, unless it contains a URL', () => {
  const long = `-- ${'x'.repeat(118)}`
  const files = {
    'migrations/0001_core.sql': `${long}\n`,
    'migrations/schema.sql': long,
    'scripts/a.ts': `// https://example.org/${'x'.repeat(118)}\n`,
    'README.md': long,
  }
  assert.deepEqual(check([lineWidths], files), ['migrations/0001_core.sql:1 121 columns, 120 at most: break the line'])
})
