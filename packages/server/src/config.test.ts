import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { isStartProblem } from './core/base/start-problem.ts'

const production = { BOURSE_DATABASE_URL: 'postgres://b@db.example/b', BOURSE_PUBLIC_URL: 'https://market.example' }

test('production drains for five seconds by default, a sandbox does not drain', () => {
  assert.equal(readConfig('production', production).drain_seconds, 5)
  assert.equal(readConfig('production', { ...production, BOURSE_DRAIN_SECONDS: '0' }).drain_seconds, 0)
  assert.equal(readConfig('sandbox', {}).drain_seconds, 0)
})

test('an invalid drain time stops the start and is named', () => {
  for (const BOURSE_DRAIN_SECONDS of ['301', '-1', '1.5', 'five']) {
    assert.throws(
      () => readConfig('production', { ...production, BOURSE_DRAIN_SECONDS }),
      (error: Error) => isStartProblem(error, 'bad_configuration') && error.message.includes('BOURSE_DRAIN_SECONDS'),
      BOURSE_DRAIN_SECONDS,
    )
  }
})
