import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { levelOf, levels } from '../run/levels.ts'
import { faults } from './faults.ts'
import { commandOf, printReliability, printTrackRecord, reliabilityPath, trackRecordPath } from './pages.ts'
import { promiseGroups } from './promises.ts'
import { readResults } from './results.ts'
import { printVersions, versionsPath } from './versions.ts'

const root = join(import.meta.dirname, '../..')
const promises = promiseGroups.flatMap((group) => group.promises)
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('the page of versions names the schema, the PostgreSQL and the clients that this program works with', async () => {
  const page = await printVersions(root)
  assert.equal(read(versionsPath), page, 'run `npm run reliability`')
  assert.match(page, /\| programs of schema [1-9]\d* and newer, on the same database \|/)
  for (const [, path = ''] of page.matchAll(/`(packages\/\S+\.test\.ts)`/g)) assert.ok(levelOf(path), path)
})

test('the pages of reliability are those that their data gives', () => {
  assert.equal(read(reliabilityPath), printReliability(readResults(root)), 'run `npm run reliability`')
  assert.equal(read(trackRecordPath), printTrackRecord(), 'run `npm run reliability`')
})

test('each promise has a name of its own, and tests that exist or a sentence that says what is missing', () => {
  assert.equal(new Set(promises.map(({ id }) => id)).size, promises.length)
  const { scripts } = JSON.parse(read('package.json'))
  for (const { id, evidence, gap } of promises) {
    assert.ok(evidence.length > 0 || gap !== undefined, id)
    for (const one of evidence) {
      if ('file' in one) assert.ok(levelOf(one.file), `${id}: ${one.file}`)
      else {
        const [script = '', , word] = one.script.split(' ')
        assert.ok(script in scripts, `${id}: ${one.script}`)
        if (script === 'deep')
          assert.ok(
            levels.some(({ name }) => name === word),
            `${id}: ${one.script}`,
          )
      }
    }
  }
})

test('each recorded result is of a command of the page, and names its day and commit', () => {
  const commands = new Set(promises.flatMap(({ evidence }) => evidence.map(commandOf)))
  for (const [command, { date, commit }] of Object.entries(readResults(root))) {
    assert.ok(commands.has(command), command)
    assert.match(date, /^\d{4}-\d\d-\d\d$/, command)
    assert.match(commit, /^[0-9a-f]{8}$/, command)
  }
})

test('the page says of a command when it failed and when nobody recorded it', () => {
  const command = 'npx vitest run packages/server/test/restart/kills.test.ts'
  const tests = { passed: 1, failed: 2, left_out: 3 }
  const page = printReliability({ [command]: { date: '2026-01-02', commit: '01234567', passed: false, tests } })
  const line = page.split('\n').find((one) => one.includes(`\`${command}\``))
  assert.match(line ?? '', /2026-01-02, 01234567: 1 passed, 2 failed, 3 left out \|$/)
  assert.match(page, /one-kill\.test\.ts` .*\| not recorded \|/)
})

test('each fault of the track record has a test that exists, and a commit of this repository', () => {
  assert.ok(faults.length >= 40, `${faults.length} faults`)
  for (const { id, file, title } of faults) {
    assert.ok(existsSync(join(root, file)), `${id}: ${file}`)
    assert.ok(read(file).includes(title), `${id}: ${file} has no test "${title}"`)
    assert.ok(levelOf(file), `${id}: no run has ${file}`)
  }
  const mended = faults.map(({ mended }) => mended)
  // A copy without the whole history has no commits to compare with.
  if (!existsSync(join(root, '.git')) || existsSync(join(root, '.git/shallow'))) return
  const kinds = execFileSync('git', ['cat-file', '--batch-check=%(objecttype)'], {
    cwd: root,
    input: mended.join('\n'),
  })
  assert.deepEqual(new Set(kinds.toString().trim().split('\n')), new Set(['commit']))
})
