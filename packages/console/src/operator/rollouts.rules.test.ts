import assert from 'node:assert/strict'
import { type agentRolloutStates, haltReasons, skipReasons } from '@bourse/api/fleet/agent-rollouts.ts'
import { test } from 'vitest'
import { haltCause, haltSentence, hostReason, hostsIn, progressText, rolloutActions } from './rollouts.rules.ts'

const group = { name: 'rest', percent: null, hosts: 0, pending: 0, updating: 0, updated: 0, failed: 0, skipped: 0 }
const groups = [
  { ...group, name: 'canary', percent: 1, hosts: 1, updated: 1 },
  { ...group, hosts: 4, pending: 1, updating: 1, updated: 1, failed: 1 },
]

/** What the buttons of a rollout are. */
function buttons(state: keyof typeof agentRolloutStates, isNewest: boolean): string[] {
  const actions = rolloutActions({ state }, isNewest)
  return Object.entries(actions).flatMap(([action, may]) => (may ? [action] : []))
}

test('a rollout has the buttons that its state allows, and a completed one only while it is the newest', () => {
  assert.deepEqual(buttons('running', true), ['halt', 'cancel', 'roll_back'])
  assert.deepEqual(buttons('halted', true), ['resume', 'cancel', 'roll_back'])
  assert.deepEqual(buttons('completed', true), ['halt', 'roll_back'])
  assert.deepEqual(buttons('completed', false), [])
  assert.deepEqual(buttons('cancelled', true), [])
})

test('progress counts the hosts of all groups', () => {
  assert.equal(hostsIn(groups, 'failed'), 1)
  assert.equal(progressText({ groups }), '2 of 5 hosts')
  assert.equal(progressText({ groups: [{ ...group, hosts: 1 }] }), '0 of 1 host')
  assert.equal(progressText({ groups: [group] }), 'no host')
})

test('the message of a halt names its host, and one of an operator names none', () => {
  const host = 'host_P7gLw3-A10SRqIHtwtCWU'
  const cause = haltCause({ halt_message: `${host}: It stopped: twice.` })
  assert.deepEqual(cause, { host, text: 'It stopped: twice.' })
  assert.equal(haltCause({ halt_message: 'An operator has halted it.' }), undefined)
  assert.equal(haltCause({ halt_message: null }), undefined)
})

test('each reason of the contract has a sentence, and one that is newer is shown as it is', () => {
  const halts = haltReasons.map((halt_reason) => haltSentence({ halt_reason }))
  assert.equal(new Set(halts).size, haltReasons.length)
  assert.ok(!halts.includes('It is halted.'))
  assert.equal(haltSentence({ halt_reason: 'of_a_newer_server' as never }), 'It is halted.')
  for (const reason of skipReasons) assert.notEqual(hostReason({ state: 'skipped', reason }), reason, reason)
  assert.equal(hostReason({ state: 'skipped', reason: 'newer' }), 'newer')
  assert.equal(hostReason({ state: 'failed', reason: 'silent' }), 'silent')
  assert.equal(hostReason({ state: 'updating', reason: null }), '')
})
