import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'vitest'

test('tests find the mutants of the lines that have changed', () => {
  const command = ['scripts/mutants.ts', 'changed']
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 30 })
  const result = [...stdout.split('\n'), ...stderr.split('\n')].filter((line) => /^(survived|not good|\|)/.test(line))
  console.log(result.join('\n'))
  assert.equal(status, 0, `${result.join('\n')}\n${stderr}`)
  assert.match(stdout, /\| money \| \d+ /)
})
