import assert from 'node:assert/strict'
import { test } from 'vitest'
import { filesInRooms, folderSizes, noCircles, ownStores, roomLineHolds } from './rooms.ts'
import { check } from './snippets.ts'

const server = 'packages/server/src'

function importing(specifier: string): string {
  return `import { thing } from '${specifier}'\n`
}

test('a room may import from the left and not from the right', () => {
  const files = {
    [`${server}/market/pools/pools.service.ts`]:
      importing('../book/book.rules.ts') + importing('../orders/orders.service.ts'),
    [`${server}/core/base/clock.ts`]: importing('../http/serve.ts'),
    [`${server}/core/http/serve.ts`]: importing('../base/clock.ts') + importing('./routes.ts'),
    'packages/cli/src/output/table.ts': importing('../commands/server/start.ts'),
    'packages/cli/src/commands/server/start.ts': importing('../output/table.ts') + importing('../program.ts'),
  }
  const found = check([roomLineHolds], files)
  assert.equal(found.length, 3)
  assert.match(found[0] ?? '', /pools\.service\.ts:2 room pools may not import orders/)
  assert.match(found[1] ?? '', /clock\.ts:1 room base may not import http/)
  assert.match(found[2] ?? '', /table\.ts:1 room output may not import commands/)
})

test('rooms with one name in two areas are different rooms', () => {
  const files = { [`${server}/sandbox/hosts/hosts.service.ts`]: importing('../../fleet/agents/agents.service.ts') }
  assert.deepEqual(check([roomLineHolds], files), [])
})

test('a test may import from any room', () => {
  assert.deepEqual(check([roomLineHolds], { [`${server}/core/base/clock.test.ts`]: importing('../http/serve.ts') }), [])
})

test('a file of a divided area belongs to a room', () => {
  const files = { [`${server}/market/tape.service.ts`]: '', [`${server}/images/images.service.ts`]: '' }
  const found = check([filesInRooms], files)
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /tape\.service\.ts:1 put the file into a room of market: schedule, book/)
})

test('a folder is reported as large above 40 files, without tests', () => {
  const names = Array.from({ length: 41 }, (_, index) => `scripts/load/file-${index}.ts`)
  const fits = names.slice(1).map((name) => [name, ''])
  const tests = names.map((name) => [name.replace('.ts', '.test.ts'), ''])
  assert.deepEqual(check([folderSizes], Object.fromEntries([...fits, ...tests])), [])
  const found = check([folderSizes], Object.fromEntries(names.map((name) => [name, ''])))
  assert.deepEqual(found, ['scripts/load:1 41 files besides tests, more than 40: does it hold two rooms?'])
})

test('circular imports are found, also of types and through other files', () => {
  const files = {
    'scripts/a.ts': "import type { B } from './b.ts'\n",
    'scripts/b.ts': importing('./c.ts'),
    'scripts/c.ts': importing('./a.ts') + importing('./d.ts'),
    'scripts/d.ts': '',
  }
  const found = check([noCircles], files)
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /^scripts\/a\.ts:1 imports itself through scripts\/b\.ts, scripts\/c\.ts:/)
})

test('a service uses the store of its own noun only', () => {
  const files = {
    [`${server}/images/images.service.ts`]: importing('./images.store.ts') + importing('./parts.store.ts'),
    [`${server}/images/parts.reconciler.ts`]: importing('./images.store.ts'),
  }
  const found = check([ownStores], files)
  assert.equal(found.length, 2)
  assert.match(found[0] ?? '', /images\.service\.ts:2 uses the store of another noun, parts/)
  assert.match(found[1] ?? '', /parts\.reconciler\.ts:1 uses the store of another noun, images/)
})

test('the services of one noun are named by it and share its stores, in one folder', () => {
  const own = importing('./orders.store.ts') + importing('./order-writes.store.ts')
  const files = {
    [`${server}/images/orders.service.ts`]: own,
    [`${server}/images/order-batches.service.ts`]: own,
    [`${server}/images/ordering.service.ts`]: importing('./orders.store.ts'),
    [`${server}/network/order-lists.service.ts`]: importing('../images/orders.store.ts'),
  }
  assert.deepEqual(
    check([ownStores], files).map((found) => found.split(' ')[0]),
    [`${server}/images/ordering.service.ts:1`, `${server}/network/order-lists.service.ts:1`],
  )
})
