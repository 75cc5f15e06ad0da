import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { recordedCalls } from '@bourse/api/generated/examples.ts'
import { test } from 'vitest'
import { plainReads } from '../calls/plain-reads.ts'
import { done } from '../sim/coverage/item.ts'
import { coverageList } from '../sim/coverage/list.ts'
import { cases } from './cases.ts'

const written = readFileSync(`${import.meta.dirname}/../calls/host-enrolments.ts`, 'utf8')

test('a read by id of what an operation creates has a case, an item and an example without an entry', () => {
  const name = 'get_host_enrolment'
  assert.ok(!written.includes(name))
  assert.equal(plainReads.get(name)?.of?.create.name, 'create_host_enrolment')
  assert.ok(cases[name].call)
  assert.ok(coverageList.some(({ covers }) => covers.includes(done(name))))
  assert.ok(recordedCalls[name])
})

test('a read is plain unless it needs input beside the id of what an operation creates', () => {
  for (const name of ['get_account', 'list_host_enrolments', 'get_host_enrolment'] as const) {
    assert.ok(plainReads.has(name), name)
  }
  // Those need a window, an id that nothing creates, two ids, or change something.
  for (const name of ['list_usage', 'get_host', 'get_webhook_delivery', 'create_host_enrolment'] as const) {
    assert.ok(!plainReads.has(name), name)
  }
})
