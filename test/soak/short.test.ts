import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'vitest'
import { hasProcessMemory } from '../../scripts/soak/memory.ts'
import { replicaNames, runSoak } from '../../scripts/soak/soak.ts'
import { uses } from '../../scripts/soak/uses.ts'
import { leftOut } from '../left-out.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'tmp/soak/short.jsonl')

test('a short soak uses everything and has each figure', leftOut(!hasProcessMemory && 'needs /proc'), async () => {
  const { samples, load } = await runSoak({
    program: root,
    file,
    minutes: 0.5,
    per_second: 50,
    sample_seconds: 2,
    warm_minutes: 0,
    print: () => {},
  })
  const answers = load.responses()
  assert.deepEqual(load.wrong(), [])
  for (const [kind, { refused }] of Object.entries(uses)) {
    const statuses = Object.keys(answers[kind] ?? {}).map(Number)
    const isAsWanted = (status: number) => (refused ? status >= 400 && status < 500 : status < 300)
    assert.ok(statuses.some(isAsWanted), `${kind}: ${JSON.stringify(answers[kind])}`)
  }
  assert.ok(load.streamed() > 0)
  for (const { replicas, postgres } of samples) {
    for (const name of replicaNames) {
      for (const [figure, value] of Object.entries(replicas[name]))
        assert.ok(value !== undefined && Number.isFinite(value), `${name}: ${figure} is ${value}`)
    }
    assert.ok(postgres.processes > 2 && postgres.pss > 0)
  }
})
