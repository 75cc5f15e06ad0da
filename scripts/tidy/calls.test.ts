import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  bannedCalls,
  bannedModules,
  blindCast,
  callsByName,
  hooksOfTheirFile,
  pureRules,
  routesWithoutLogic,
  testsWithoutSleep,
} from './calls.ts'
import { check } from './snippets.ts'

const server = 'packages/server/src'

const impure = [
  'const a = Date.now()',
  'const b = new Date()',
  'const c = Math.random()',
  'setTimeout(run, 10)',
  'const d = process.env.PORT',
  'await fetch(url)',
  'console.log(a)',
].join('\n')

test('each impure call of the server is found, with its replacement', () => {
  const found = check([bannedCalls], { [`${server}/core/loop.ts`]: impure })
  assert.deepEqual(found.map((line) => Number(/:(\d+) /.exec(line)?.[1])).sort(), [1, 2, 3, 4, 5, 6, 7])
  assert.match(found.join('\n'), /loop\.ts:1 Date\.now\(\) is not allowed here: take ctx\.now/)
})

test('a file may use only the impure calls that are allowed for it', () => {
  const files = {
    [`${server}/core/base/clock.ts`]: 'const a = Date.now()\nsetTimeout(run, 10)\n',
    [`${server}/config.ts`]: 'const port = process.env.PORT\nconst now = Date.now()\n',
    'packages/cli/src/main.ts': 'console.log(process.env.NO_COLOR)\nMath.random()\n',
  }
  assert.deepEqual(
    check([bannedCalls], files).map((line) => line.split(' is not')[0]),
    [`${server}/config.ts:2 Date.now()`, 'packages/cli/src/main.ts:2 Math.random()'],
  )
})

test('a date from a number and names that only look similar are allowed', () => {
  const file = 'const day = new Date(seconds * 1000)\nconst now = clock.Date\nconst p = childProcess.env\n'
  assert.deepEqual(check([bannedCalls], { [`${server}/core/days.ts`]: file }), [])
})

test('imports of timers and randomness are found too', () => {
  const file =
    "import { setTimeout } from 'node:timers/promises'\nimport { createHash, randomBytes } from 'node:crypto'\n"
  const found = check([bannedModules], {
    [`${server}/core/loop.ts`]: file,
    [`${server}/core/sums.ts`]: "import { createHash } from 'node:crypto'\n",
  })
  assert.equal(found.length, 2)
  assert.match(found[1] ?? '', /loop\.ts:2 node:crypto/)
})

test('a rule does not await and gets no ctx', () => {
  const file = 'export async function decide(ctx: unknown) {\n  await load()\n}\n'
  const found = check([pureRules], { [`${server}/market/orders.rules.ts`]: file, [`${server}/core/x.ts`]: file })
  assert.deepEqual(
    found.map((line) => /:(\d+) a rule (gets|does)/.exec(line)?.slice(1).join(' ')),
    ['1 does', '2 does', '1 gets'],
  )
})

test('routes contain no logic', () => {
  const found = check([routesWithoutLogic], {
    [`${server}/iam/users.routes.ts`]: [
      'export const userRoutes = [',
      '  handle(getUser, (ctx, { params }) => users.getUser(ctx, params.id)),',
      '  handle(putUser, (ctx, { body }) => (body.name ? users.rename(ctx, body) : users.keep(ctx))),',
      ']',
    ].join('\n'),
  })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /users\.routes\.ts:3 a route only binds/)
})

test('a test does not sleep', () => {
  const found = check([testsWithoutSleep], {
    'packages/server/test/api/skus.test.ts':
      "import { setTimeout } from 'node:timers/promises'\nawait setTimeout(100)\n",
    'packages/server/test/support/wait.ts': 'setTimeout(() => {}, 5)\n',
  })
  assert.equal(found.length, 2)
})

test('a test calls an operation by its name', () => {
  const found = check([callsByName], {
    'packages/server/test/api/skus.test.ts': [
      "await server.ok('GET', '/v2/skus')",
      "await server.ok('POST', `/v2/instances`, { token })",
      "await server.ok('GET', path)",
      "await server.request('GET', '/absent')",
      "await server.call('list_skus')",
    ].join('\n'),
  })
  assert.deepEqual(
    found.map((line) => Number(/:(\d+) /.exec(line)?.[1])),
    [1, 2],
  )
})

test('test support registers its hooks in functions', () => {
  const hook = "import { afterAll } from 'vitest'\nafterAll(() => {})\nexport const start = () => afterAll(() => {})\n"
  const found = check([hooksOfTheirFile], {
    'packages/cli/test/sandbox-process.ts': hook,
    'packages/cli/test/start.test.ts': hook,
  })
  assert.deepEqual(
    found.map((line) => line.split(' ')[0]),
    ['packages/cli/test/sandbox-process.ts:2'],
  )
})

test('no program casts to never or by way of unknown, apart from tests and what is listed', () => {
  const text = [
    "useList('instance', client.instances.list as never)",
    'const none = 1 as number',
    'const whole = (row as unknown as Whole).name',
    'const plain = row as unknown',
    '',
  ].join('\n')
  const found = check([blindCast], {
    'packages/console/src/fleet/page.tsx': text,
    'packages/console/src/fleet/page.rules.test.ts': text,
    'packages/sdk/src/plain-client.ts': text,
    'packages/cli/test/page.ts': text,
  })
  assert.deepEqual(
    found.map((line) => line.split(':').slice(0, 2).join(':')),
    [
      'packages/console/src/fleet/page.tsx:1 a cast to never hides what the types know',
      'packages/console/src/fleet/page.tsx:3 a cast by way of unknown',
      'packages/sdk/src/plain-client.ts:1 a cast to never hides what the types know',
    ],
  )
})
