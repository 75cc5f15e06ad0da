import assert from 'node:assert/strict'
import { test } from 'vitest'
import { affectedBy, isUnused } from './affected.rules.ts'

const template = { id: 'itmpl_1', name: 'web' } as const

test('deployments are affected by the templates of the image only', () => {
  const instances = [
    { id: 'inst_1', name: 'a', state: 'running' },
    { id: 'inst_2', name: 'b', state: 'awaiting_allocation' },
    { id: 'inst_3', name: 'c', state: 'terminated' },
  ] as never
  const deployments = [
    { id: 'depl_1', name: 'x', instance_template: template },
    { id: 'depl_2', name: 'y', instance_template: { id: 'itmpl_2' } },
  ] as never
  const found = affectedBy({ instances, templates: [template] as never, deployments })
  const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)
  assert.deepEqual(names(found.running), ['a'])
  assert.deepEqual(names(found.waiting), ['b'])
  assert.deepEqual(names(found.deployments), ['x'])
  assert.ok(!isUnused(found))
  assert.ok(isUnused(affectedBy({ instances: [], templates: [], deployments: [] })))
})
