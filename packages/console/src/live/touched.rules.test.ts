import assert from 'node:assert/strict'
import { test } from 'vitest'
import { touchedBy } from './touched.rules.ts'

const at = (action: string, type: string, id: string) => ({ action, targets: [{ type, id }] })

test('each target is named once, by its noun', () => {
  const { items } = touchedBy([
    at('instance.created', 'instance', 'inst_1'),
    at('instance.running', 'instance', 'inst_1'),
    at('instance.created', 'instance', 'inst_2'),
    at('order.created', 'order', 'ordr_1'),
  ])
  assert.deepEqual([...(items.get('instance') ?? [])], ['inst_1', 'inst_2'])
  assert.deepEqual([...(items.get('order') ?? [])], ['ordr_1'])
})

test('a fill makes pools and money outdated, an order that rests makes no pool outdated', () => {
  const filled = touchedBy([at('order.filled', 'order', 'ordr_1')]).nouns
  assert.ok(filled.has('pool') && filled.has('balance') && filled.has('transaction'))
  assert.ok(!touchedBy([at('order.created', 'order', 'ordr_1')]).nouns.has('pool'))
})

test('an unknown action makes only its target and the events outdated', () => {
  const { items, nouns } = touchedBy([at('comet.seen', 'comet', 'comt_1')])
  assert.deepEqual([...nouns], ['event'])
  assert.deepEqual([...items.keys()], ['comet'])
})

test('an event of an instance reads no pool again, and what needs attention only where that changes', () => {
  const running = touchedBy([at('instance.running', 'instance', 'inst_1')]).nouns
  assert.ok(!running.has('pool') && !running.has('attention') && running.has('deployment'))
  const actions = ['termination_imminent', 'termination_withdrawn', 'failed', 'terminated']
  for (const action of actions) {
    assert.ok(touchedBy([at(`instance.${action}`, 'instance', 'inst_1')]).nouns.has('attention'), action)
  }
})
