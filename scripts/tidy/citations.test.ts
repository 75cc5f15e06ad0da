import assert from 'node:assert/strict'
import { test } from 'vitest'
import { citedPages, ownAnchors } from './citations.ts'
import { check } from './snippets.ts'

// Composed here, because otherwise this file would cite missing documents.
const ending = 'md'
const absent = `surface.${ending}`
const guide = `docs/guide.${ending}`
const beside = `docs/other/links.${ending}`
const page = '# Guide\n\n## What it buys\n\n```sh\n# not a heading\n```\n\n## Holds\n\n## Holds\n'

test('a named document must be in the repository', () => {
  const files = {
    [guide]: `${page}See ${absent}, [above](guide.${ending}) and https://example.org/${absent}. A new one: NNN-${absent}.\n`,
    'packages/server/src/market/a.rules.ts': `// As ${absent} 8.2 has it.\nexport const a = '${guide}'\n`,
    'migrations/0001_base.sql': `-- ${guide} says why.\n-- So does ${absent}.\n`,
    'package-lock.json': `{ "a": "${absent}" }`,
  }
  assert.deepEqual(check([citedPages], files), [
    `${guide}:12 ${absent} is not in the repository: name a page by its path from the root, or none`,
    `packages/server/src/market/a.rules.ts:1 ${absent} is not in the repository: ` +
      'name a page by its path from the root, or none',
    `migrations/0001_base.sql:2 ${absent} is not in the repository: name a page by its path from the root, or none`,
  ])
})

test('a page is named by its path from the root or from the citing file', () => {
  const files = {
    [guide]: page,
    [beside]: `[up](../guide.${ending}#holds), [itself](links.${ending}), [not here](guide.${ending})\n`,
    'packages/server/src/market/a.rules.ts': `// See guide.${ending}.\n`,
  }
  assert.deepEqual(
    check([citedPages], files).map((line) => line.split(' ').slice(0, 2).join(' ')),
    [`${beside}:1 guide.${ending}`, `packages/server/src/market/a.rules.ts:1 guide.${ending}`],
  )
})

test('a cited heading must be in its page', () => {
  const files = {
    [guide]: page,
    [beside]: ['what-it-buys', 'holds-1', 'holds-2', 'not-a-heading']
      .map((anchor) => `[x](../guide.${ending}#${anchor})\n`)
      .join(''),
    'packages/server/src/market/a.rules.ts': [
      `/** Buys (${guide}, "What it buys" and "Holds"). */`,
      'export const a = 1',
      '/**',
      ` * Sells, as ${guide}, "What it`,
      ' * buys", has it, and here it ends.',
      ' */',
      'export const b = 2',
      `// Rounds (${guide},`,
      '// "Rounding"), then ends.',
      `// Pays (${guide}, "Holds", "Fees").`,
      '',
    ].join('\n'),
  }
  assert.deepEqual(check([citedPages], files), [
    `${beside}:3 ${guide} has no heading #holds-2: cite one that it has`,
    `${beside}:4 ${guide} has no heading #not-a-heading: cite one that it has`,
    `packages/server/src/market/a.rules.ts:8 ${guide} has no heading Rounding: cite one that it has`,
    `packages/server/src/market/a.rules.ts:10 ${guide} has no heading Fees: cite one that it has`,
  ])
})

test('a link within a page leads to a heading of that page', () => {
  const files = { [guide]: `${page}[one](#holds), [another](#fees)\n`, 'packages/a.ts': '// [x](#fees)\n' }
  assert.deepEqual(check([ownAnchors], files), [`${guide}:12 ${guide} has no heading #fees: cite one that it has`])
})
