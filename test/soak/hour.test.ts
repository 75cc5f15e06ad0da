import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'vitest'
import { hasProcessMemory } from '../../scripts/soak/memory.ts'
import { readSoakMinutes, slopeMaxOf, warmMinutes } from '../../scripts/soak/settings.ts'
import { replicaNames, runSoak } from '../../scripts/soak/soak.ts'
import { leftOut } from '../left-out.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'tmp/soak/figures.jsonl')

test('the memory of replicas does not grow', leftOut(!hasProcessMemory && 'needs /proc'), async () => {
  const minutes = readSoakMinutes(process.env.BOURSE_SOAK_MINUTES)
  const { rate, load, slopes, windows } = await runSoak({
    program: root,
    file,
    minutes,
    per_second: 50,
    sample_seconds: 10,
    warm_minutes: warmMinutes,
    print: (line) => console.log(line),
  })
  console.log(`${rate.toFixed(1)} requests a second, of 50. Answers: ${JSON.stringify(load.responses())}`)
  for (const name of replicaNames) {
    const shown = windows[name].map(({ from, until, slope }) => `${from} to ${until}: ${slope.toFixed(2)}`)
    console.log(`${name}: ${slopes[name]?.toFixed(3)} MB a minute after the first ten; ${shown.join(', ')}`)
  }
  assert.deepEqual(load.wrong(), [])
  for (const name of replicaNames) {
    const slope = slopes[name]
    assert.ok(slope !== undefined && slope < slopeMaxOf(minutes), `${name} grows by ${slope} MB a minute: see ${file}`)
  }
})
