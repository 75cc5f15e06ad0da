import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelOf, levels, orderOf, testFiles, usualLevels } from './tests.ts'

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

test('the levels with real machines, a browser and the registry run only on request', () => {
  const all = levels.map(({ name }) => name)
  const without = all.filter((name) => !['packages', 'console', 'vm', 'netns'].includes(name))
  assert.deepEqual(usualLevels({}), without)
  assert.deepEqual(usualLevels({ BOURSE_REQUIRE_VM: '' }), without)
  const machines = { BOURSE_REQUIRE_VM: '1', BOURSE_REQUIRE_NETNS: '0' }
  assert.deepEqual(usualLevels({ ...machines, BOURSE_REQUIRE_PACKAGES: '1', BOURSE_REQUIRE_BROWSER: '1' }), all)
})

test('a run has each file of its levels once, and every queue has a worker', () => {
  const files = testFiles()
  const all = levels.map(({ name }) => name)
  const { queues, workers } = orderOf(all, files, 2)
  const queued = Object.values(queues).flatMap((queue) => queue.files)
  assert.deepEqual(queued.toSorted(), [...files.values()].flat().toSorted())
  for (const name of Object.keys(queues)) assert.ok(workers.some(({ takes_from }) => takes_from.includes(name)))
  assert.deepEqual(orderOf(['market'], files, 2).queues.alone?.files, [])
})
