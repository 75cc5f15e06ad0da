import assert from 'node:assert/strict'
import { test } from 'vitest'
import { check } from './snippets.ts'
import { oneFormatOfTimes } from './times.ts'

test('the console writes times in one way', () => {
  const found = check([oneFormatOfTimes], {
    'packages/console/src/market/own.tsx': [
      'const own = new Intl.DateTimeFormat()',
      'date.toLocaleTimeString()',
      'count.toLocaleString()',
    ].join('\n'),
    'packages/console/src/ui/values.rules.ts': 'new Intl.DateTimeFormat()',
    'packages/server/src/core/time.ts': 'new Intl.DateTimeFormat()',
  })
  assert.deepEqual(
    found.map((line) => line.slice(0, line.indexOf(' '))),
    ['packages/console/src/market/own.tsx:1', 'packages/console/src/market/own.tsx:2'],
  )
})
