import assert from 'node:assert/strict'
import { eventActions } from '@bourse/api/events/actions.ts'
import { eventActors } from '@bourse/api/events/event-actors.ts'
import { limits, trustLevels } from '@bourse/api/iam/limits.ts'
import { test } from 'vitest'
import { printEvents } from './events-page.ts'
import { printLimits } from './limits-page.ts'

test('the page of limits has a row for each limit, with a value for each trust level', () => {
  const rows = printLimits().match(/^\| `[a-z_]+`.*\|$/gm) ?? []
  for (const name of Object.keys(limits)) {
    const row = rows.find((line) => line.startsWith(`| \`${name}\``)) ?? assert.fail(name)
    assert.equal(row.split('|').length, trustLevels.length + 3, row)
  }
  assert.match(printLimits(), /^\| `image_bytes` \| 128 GiB \| 1 TiB \| 10 TiB \| 100 TiB \|$/m)
  assert.match(printLimits(), /^\| `read` \|[^|]*\| 200 \| 50 \|$/m)
})

test('the page of events has a row for each action, below its target', () => {
  const sections = printEvents().split('## Target ').slice(1)
  const placed = sections.flatMap((section) => {
    const [, target] = /^`(\w+)`/.exec(section) ?? []
    return [...section.matchAll(/^\| `([a-z_]+\.[a-z_]+)`/gm)].map(([, action]) => [action, target] as const)
  })
  const declared = Object.entries(eventActions).map(([action, { target_type }]) => [action, target_type] as const)
  assert.deepEqual(Object.fromEntries(placed), Object.fromEntries(declared))
  assert.equal(placed.length, declared.length)
  for (const [action] of declared) assert.ok(eventActors[action as keyof typeof eventActors].length > 0, action)
})
