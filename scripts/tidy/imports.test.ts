import assert from 'node:assert/strict'
import { test } from 'vitest'
import { roles } from './house.ts'
import {
  apiTestsSpeakHttp,
  barrels,
  clientWithoutServer,
  endings,
  followsAreaLine,
  namedRoles,
  packageLine,
  roleImports,
  textStandsAlone,
  throughServices,
  unusedFiles,
} from './imports.ts'
import { check } from './snippets.ts'

const server = 'packages/server/src'

function importing(specifier: string): string {
  return `import { thing } from '${specifier}'\n`
}

test('an area may import from the left and not from the right', () => {
  const files = {
    [`${server}/market/orders.service.ts`]:
      importing('../iam/grants.service.ts') + importing('../fleet/hosts.service.ts'),
    [`${server}/core/loop.ts`]: importing('../app.ts'),
    [`${server}/main.ts`]: importing('./app.ts') + importing('./config.ts'),
    [`${server}/core/db/db.ts`]: importing('../config.ts'),
  }
  const found = check([followsAreaLine], files)
  assert.equal(found.length, 2)
  assert.match(found[0] ?? '', /orders\.service\.ts:2 market is left of fleet/)
  assert.match(found[1] ?? '', /core\/loop\.ts:1 core is left of app/)
})

test('an area that is not in the line is found', () => {
  const found = check([followsAreaLine], { [`${server}/app.ts`]: importing('./misc/thing.service.ts') })
  assert.match(found[0] ?? '', /area 'misc' is not in the line/)
})

test('another area is reached through its services only, types included', () => {
  const found = check([throughServices], {
    [`${server}/fleet/hosts.service.ts`]: [
      "import { freePool } from '../market/pools.service.ts'",
      "import type { PoolRow } from '../market/pools.store.ts'",
    ].join('\n'),
    [`${server}/fleet/hosts.audit.ts`]: importing('../core/db/db.ts'),
  })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /hosts\.service\.ts:2 reaches into market/)
})

test('rules import only refusals of core, and no store', () => {
  const found = check([roleImports], {
    [`${server}/iam/grants.rules.ts`]:
      importing('../core/base/refusal.ts') + importing('../core/ctx.ts') + importing('./grants.store.ts'),
    [`${server}/iam/grants.routes.ts`]: importing('./grants.service.ts') + importing('./grants.store.ts'),
  })
  assert.deepEqual(
    found.map((line) => line.split(' ')[0]),
    [`${server}/iam/grants.rules.ts:2`, `${server}/iam/grants.rules.ts:3`, `${server}/iam/grants.routes.ts:2`],
  )
})

test('a file of a business area needs a role, a test of it does not', () => {
  const files = {
    [`${server}/iam/names.ts`]: '',
    [`${server}/iam/names.rules.ts`]: '',
    [`${server}/iam/names.rules.test.ts`]: '',
    [`${server}/core/names.ts`]: '',
  }
  assert.deepEqual(check([namedRoles], files), [
    `${server}/iam/names.ts:1 name it noun.role.ts, role one of ${roles.join(', ')}`,
  ])
})

test('imports have a file ending, and re-exports are refused', () => {
  const files = {
    [`${server}/core/a.ts`]: [
      "import x from './b'",
      "import { y } from '@bourse/api/kit/ids'",
      "import 'node:fs'",
      "export * from './c.ts'",
      "import url from './d.ts?worker&url'",
    ].join('\n'),
  }
  assert.equal(check([endings], files).length, 2)
  assert.match(check([barrels], files)[0] ?? '', /a\.ts:4 re-exports from '\.\/c\.ts'/)
  assert.deepEqual(check([barrels], { 'packages/sdk/src/sdk.ts': "export * from './client.ts'" }), [])
})

test('packages import only allowed packages', () => {
  const files = {
    'packages/api/src/kit/ids.ts': importing('@bourse/server/core/base/ids.ts'),
    'packages/cli/src/commands/server/serve.ts': importing('@bourse/server/main.ts'),
    'packages/cli/src/input/fields.ts': importing('@bourse/api/kit/ids.ts'),
    'packages/sdk/src/plain-client.ts': importing('@bourse/api/kit/ids.ts'),
  }
  const remedy = 'move what both need to packages/api or packages/text'
  assert.deepEqual(check([packageLine], files), [
    `packages/api/src/kit/ids.ts:1 packages/api may import only packages/text: ${remedy}`,
    `packages/sdk/src/plain-client.ts:1 packages/sdk may import only packages/text: ${remedy}`,
  ])
})

test('packages/text imports only its own files, and takes nothing of Node', () => {
  const files = {
    'packages/text/src/a.ts': "import './b.ts'\nimport 'node:crypto'\nimport 'leven'\nimport '../../api/src/c.ts'",
    'packages/text/src/b.ts': 'export const bytes = Buffer.from(process.title)',
    'packages/text/src/b.test.ts': "import 'node:fs'",
    'packages/text/package.json': '{ "dependencies": { "leven": "4.1.0" } }',
    'packages/api/src/d.ts': "import 'node:fs'",
  }
  const found = check([textStandsAlone], files).map((line) => line.split(' ')[0])
  assert.deepEqual(found, [
    ...['a.ts:2', 'a.ts:3', 'a.ts:4', 'b.ts:1', 'b.ts:1'].map((place) => `packages/text/src/${place}`),
    'packages/text/package.json:1',
  ])
})

test('of the command line only the commands of servers import the server', () => {
  const files = {
    'packages/cli/src/commands/server/serve.ts': "const launch = await import('@bourse/server/launch.ts')",
    'packages/cli/src/commands/orders.ts': "const clock = await import('@bourse/server/core/base/clock.ts')",
    'packages/cli/src/output/output.ts': "import type { Config } from '../../../server/src/config.ts'",
    'packages/cli/src/output/output.test.ts': importing('@bourse/server/config.ts'),
    'packages/cli/test/output.test.ts': importing('../../server/test/support/server.ts'),
  }
  const found = check([clientWithoutServer], files).map((line) => line.split(' ')[0])
  assert.deepEqual(found, ['packages/cli/src/commands/orders.ts:1', 'packages/cli/src/output/output.ts:1'])
})

test('an API test does not import the code of the server', () => {
  const found = check([apiTestsSpeakHttp], {
    'packages/server/test/api/skus.test.ts': importing('../support/server.ts') + importing('../../src/app.ts'),
  })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /skus\.test\.ts:2/)
})

test('a file that only its own test imports is unused, a program is not', () => {
  const files = {
    [`${server}/core/used.ts`]: '',
    [`${server}/core/dead.ts`]: '',
    [`${server}/core/dead.test.ts`]: importing('./dead.ts'),
    [`${server}/main.ts`]: importing('./core/used.ts'),
    'packages/sdk/src/sdk.ts': '',
    'packages/sdk/examples/a-program.ts': importing('@bourse/sdk'),
  }
  assert.deepEqual(check([unusedFiles], files), [
    `${server}/core/dead.ts:1 nothing imports this file: delete it, or use it`,
  ])
})
