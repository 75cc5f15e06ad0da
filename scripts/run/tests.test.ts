import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gateFiles, levelOf, levels, namedFiles, orderOf, testFiles } from './tests.ts'

test('the folder of a test determines its level', () => {
  const paths = {
    'packages/server/src/iam/grants.rules.test.ts': 'unit',
    'packages/api/src/kit/ids.test.ts': 'unit',
    'scripts/tidy/sql.test.ts': 'unit',
    'scripts/mutants.test.ts': 'mutants',
    'packages/server/test/api/skus.test.ts': 'api',
    'packages/sdk/test/pages.test.ts': 'api',
    'packages/sdk/test/packages/package.test.ts': 'packages',
    'packages/server/test/contract/access.test.ts': 'contract',
    'packages/server/test/sim/world.test.ts': 'simulation',
    'packages/server/test/restart/kills.test.ts': 'restart',
    'packages/agent/test/drivers/simulated.test.ts': 'unit',
    'packages/agent/test/vm/qemu.test.ts': 'vm',
    'packages/agent/test/netns/firewall.test.ts': 'netns',
  }
  for (const [path, level] of Object.entries(paths)) assert.equal(levelOf(path), level)
})

test('a test outside of all levels is an error', () => {
  assert.throws(() => levelOf('packages/server/test/other/a.test.ts'), /belongs to no test level/)
})

test('this file is found, and no file in node_modules', () => {
  const all = [...testFiles().values()].flat()
  assert.ok(all.includes('scripts/run/tests.test.ts'))
  assert.equal(
    all.some((path) => path.includes('node_modules')),
    false,
  )
})

test('every file that the levels name exists, so that none leaves `npm test` by a new name', () => {
  const all = new Set([...testFiles().values()].flat())
  assert.deepEqual(
    namedFiles().filter((path) => !all.has(path)),
    [],
  )
})

test('npm test runs whole levels, parts of others, and none of those with machines', () => {
  const gate = gateFiles(testFiles())
  assert.ok(gate.get('unit')?.includes('scripts/run/tests.test.ts'))
  assert.ok(gate.get('api')?.includes('packages/server/test/api/skus.test.ts'))
  assert.equal(gate.get('api')?.includes('packages/cli/test/start.test.ts'), false)
  assert.deepEqual(gate.get('console'), ['packages/console/test/first-day.test.ts'])
  assert.deepEqual([gate.get('vm'), gate.get('netns'), gate.get('mutants')], [[], [], []])
})

test('a run has each file of its levels once, and every queue has a worker', () => {
  const files = testFiles()
  const all = levels.map(({ name }) => name)
  const { queues, workers } = orderOf(all, files, 2)
  const queued = Object.values(queues).flatMap((queue) => queue.files)
  assert.deepEqual(queued.toSorted(), [...files.values()].flat().toSorted())
  for (const name of Object.keys(queues)) assert.ok(workers.some(({ takes_from }) => takes_from.includes(name)))
  const market = orderOf(['market'], files, 2)
  assert.deepEqual(market.queues.alone?.files, [])
  assert.equal(
    market.workers.some(({ takes_from }) => takes_from.includes('machines')),
    false,
  )
})
