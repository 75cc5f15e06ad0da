import assert from 'node:assert/strict'
import { test } from 'vitest'
import { packedSpreads } from './packing.ts'
import { check } from './snippets.ts'

const path = 'packages/server/src/market/a.rules.ts'
const view = 'packages/console/src/ui/a.tsx'

function found(code: string, at = path): string[] {
  return check([packedSpreads], { [at]: code })
}

test('a literal of several members is not spread into a literal or a call', () => {
  const finding = (line: number) => `${path}:${line} a spread literal: write its members one by one`
  assert.deepEqual(found('export const a = { b: 1,\n...{ c: 2, d: 3 } }\n'), [finding(2)])
  assert.deepEqual(found('export const a = [0, ...[1, 2]]\n'), [finding(1)])
  assert.deepEqual(found('run(...[1, 2])\n'), [finding(1)])
  assert.deepEqual(found('export const A = () => <B {...{ c: 1, d: 2 }} />\n', view), [
    `${view}:1 a spread literal: write its members one by one`,
  ])
})

test('what depends on a condition, has one member or has a name is spread', () => {
  assert.deepEqual(found('export const a = { ...(b ? { c: 1, d: 2 } : {}), ...{ e: 3 }, ...f }\n'), [])
  assert.deepEqual(found('export const a = [...(b ? [1, 2] : []), ...[3], ...f]\n'), [])
})
