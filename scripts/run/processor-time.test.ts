import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { secondsFromStat } from './process-tree.ts'
import { processorSeconds } from './processor-time.ts'

test('the time of a process and of its children is read behind a name with spaces and parentheses', () => {
  const fields = ['S', ...Array.from({ length: 10 }, () => '9'), '150', '50', '1000', '25', '20', '0']
  assert.equal(secondsFromStat(`4711 (a) b (c) ${fields.join(' ')}`), 12.25)
})

test('processes that were waited for count', { skip: process.platform === 'linux' ? false : 'not Linux' }, () => {
  const before = processorSeconds()
  execFileSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 3e5) {}'])
  assert.ok(processorSeconds() - before >= 0.3)
})
