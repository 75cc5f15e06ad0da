import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { late, openBoundedWork, type Wait } from './bounded-work.ts'

const pci = '0000:07:00.0'

test('work on a device is begun once, is waited for once, and begins again when it has ended', async () => {
  const bounds: (() => void)[] = []
  const wait: Wait = (_milliseconds, signal) =>
    new Promise((resolve) => {
      bounds.push(resolve)
      signal.addEventListener('abort', () => resolve())
    })
  const hanging = Promise.withResolvers<string>()
  let begun = 0
  const work = openBoundedWork<string>(wait)
  const run = () =>
    work.run(pci, 500, () => {
      begun += 1
      return hanging.promise
    })
  const both = [run(), run()]
  for (const end of bounds) end()
  assert.deepEqual(await Promise.all(both), [late, late])
  assert.deepEqual(work.overdue(), [pci])
  const next = run()
  assert.deepEqual([bounds.length, begun], [2, 1])
  assert.equal(await next, late)
  hanging.resolve('done')
  await eventually('it has ended', () => !work.isUnderWay(pci))
  assert.deepEqual([await run(), begun], ['done', 2])
})
