import assert from 'node:assert/strict'
import { test } from 'vitest'
import { check } from './snippets.ts'
import { noAssertedDurations, noOwnDeadlines, noSilentCatch, oneWayToWait } from './waits.ts'

const path = 'packages/server/test/api/orders.test.ts'

test('a test waits in one way', () => {
  const found = check([oneWayToWait], {
    [path]: [
      "import { waitFor } from '@bourse/text/time/pause.ts'",
      'while ((await used()) > 0);',
      'while (!isDone) await pause(5)',
      'for (;;) await new Promise(setImmediate)',
      'while (page.has_more) page = await read(page.cursor)',
      'while (isBusy) work()',
      'await page.waitFor()',
    ].join('\n'),
    'packages/server/src/core/work/worker.ts': 'while (!isDone) await pause(5)',
  })
  const lines = found.map((line) => Number(/:(\d+) /.exec(line)?.[1]))
  assert.deepEqual(lines.toSorted(), [1, 2, 3, 4])
})

test('a test has no deadline of its own', () => {
  const found = check([noOwnDeadlines], {
    [path]: [
      'while (performance.now() < end) await ask()',
      'assert.ok(Date.now() - began < 5_000)',
      'const began = performance.now()',
    ].join('\n'),
    'test/eventually.ts': 'if (performance.now() > end) throw new Error()',
  })
  assert.equal(found.length, 2)
})

test('a test asserts no duration, unless it runs alone', () => {
  const text = 'assert.ok(milliseconds < 1_000)\nassert.ok(rows.length < 10)'
  const found = check([noAssertedDurations], { [path]: text, 'packages/server/test/quiet/liveness.test.ts': text })
  assert.deepEqual(
    found.map((line) => line.split(' ')[0]),
    [`${path}:1`],
  )
})

test('a test hides no error', () => {
  const found = check([noSilentCatch], {
    [path]: 'try { await call() } catch {}\ntry { await call() } catch (error) { assert.match(String(error), /no/) }',
  })
  assert.equal(found.length, 1)
})
