import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'vitest'
import { checkLevels, isInRun, type Level, levelOf, levels, projectOf, type Run, runsWhenNamed } from './levels.ts'

const level = (name: string) => levels.find((one) => one.name === name) as Level
const filesOf = (name: string) => globSync([...level(name).files]).toSorted()
const has = (run: Run, name: string) => filesOf(name).filter((path) => isInRun(run, level(name), path))

test('the folder of a test determines its level', () => {
  assert.ok(filesOf('unit').includes('packages/agent/test/drivers/simulated.test.ts'))
  assert.ok(filesOf('unit').includes('scripts/run/levels.test.ts'))
  assert.deepEqual(filesOf('mutants').toSorted(), [
    'scripts/mutants.test.ts',
    'scripts/mutants/applies.test.ts',
    'scripts/mutants/stryker/mutators.test.ts',
    'scripts/mutants/syntax/changed.test.ts',
    'scripts/mutants/syntax/syntax.test.ts',
  ])
  assert.ok(filesOf('packages').includes('packages/sdk/test/packages/package.test.ts'))
  assert.ok(filesOf('api').includes('packages/sdk/test/pages.test.ts'))
})

test('levels that share processes are one project', () => {
  assert.deepEqual(
    ['unit', 'api', 'console', 'vm'].map((name) => projectOf(level(name))),
    ['shared', 'shared', 'console', 'vm'],
  )
  assert.equal(levelOf('packages/server/test/api/skus.test.ts'), level('api'))
  assert.equal(levelOf('packages/server/test/skus.test.ts'), undefined)
})

test('each test has one level', () => {
  checkLevels()
  const lost = levels.filter(({ name }) => name !== 'fleet')
  assert.throws(() => checkLevels(lost), /belong to no level or to several: packages\/server\/test\/fleet\//)
  assert.throws(() => checkLevels([...levels, level('fleet')]), /to several: packages\/server\/test\/fleet\//)
  const renamed = { ...level('fleet'), gate: { only: ['packages/server/test/fleet/no.test.ts'] } }
  assert.throws(() => checkLevels([renamed]), /fleet names files that it does not have: .*no\.test\.ts/)
})

test('npm test runs whole levels and parts of others, npm run check what needs no database', () => {
  assert.deepEqual(has('test', 'market'), filesOf('market'))
  assert.deepEqual(has('test', 'console'), ['packages/console/test/first-day.test.ts'])
  assert.ok(!has('test', 'api').includes('packages/cli/test/start.test.ts'))
  assert.deepEqual([has('test', 'vm'), has('deep', 'vm')], [[], filesOf('vm')])
  assert.deepEqual([has('check', 'api'), has('check', 'vm')], [[], []])
  assert.ok(has('check', 'unit').includes('scripts/run/levels.test.ts'))
  assert.ok(!has('check', 'unit').includes('packages/server/test/support/cluster.test.ts'))
  assert.ok(!has('check', 'source').some((path) => path.includes('generated')))
})

test('what takes an hour runs where its level is named, and never in npm test', () => {
  const [hour, short] = ['test/soak/hour.test.ts', 'test/soak/short.test.ts'] as [string, string]
  const deep = (path: string, ...words: string[]) => isInRun('deep', level('soak'), path, words)
  assert.deepEqual(filesOf('soak'), [hour, short])
  assert.deepEqual([deep(hour), deep(hour, 'soak'), deep(hour, 'vm', 'soak')], [false, true, true])
  assert.deepEqual([deep(short), deep(short, 'soak')], [true, true])
  assert.deepEqual([has('check', 'soak'), has('test', 'soak')], [[], []])
  assert.deepEqual([runsWhenNamed(level('soak'), hour), runsWhenNamed(level('soak'), short)], [true, false])
  const renamed = { ...level('soak'), when_named: ['test/soak/no.test.ts'] }
  const others = levels.filter(({ name }) => name !== 'soak')
  assert.throws(() => checkLevels([...others, renamed]), /soak names files that it does not have: .*no\.test\.ts/)
})

test('a run by the calendar has the files that name parts of it, or test what does', () => {
  const [unit, events, api] = ['unit', 'events', 'api'].map((name) => has('calendar', name)) as [
    string[],
    string[],
    string[],
  ]
  assert.ok(events.includes('packages/server/test/events/closed-days.test.ts'))
  assert.ok(unit.includes('packages/text/src/formats/amounts.test.ts'))
  assert.ok(!unit.includes('packages/text/src/csv.test.ts'))
  assert.ok(api.length > 0 && api.every((path) => isInRun('test', level('api'), path)))
})
