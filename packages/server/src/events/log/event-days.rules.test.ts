import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { type AccountDays, type ClosedDay, daysOfPage, noDaysKnown } from './event-days.rules.ts'
import type { EventRange, Visibility, WantedEvents } from './events.rules.ts'

type DayEvent = {
  readonly position: number
  readonly occurred_at: number
  readonly day: string
  readonly workspace_id: string
  readonly action: string
  readonly target: string
  readonly target_type: string
}

const endOfTime = Number.MAX_SAFE_INTEGER
const from = (occurred_at: number, position = 0): EventRange => ({ after: { occurred_at, position }, until: endOfTime })
const dayNumber = (n: number) => `2026-11-${10 + n}`

/** The days of a log with the given number of closed days. */
function daysOf(
  log: readonly DayEvent[],
  closed: number,
  hasKinds: (day: number) => boolean = () => true,
): AccountDays {
  const days = Array.from({ length: closed }, (_, n): ClosedDay[] => {
    const events = log.filter(({ day }) => day === dayNumber(n))
    const [first, last] = [events[0], events.at(-1)]
    if (!first || !last) return []
    const sorts = Map.groupBy(events, (event) => `${event.workspace_id} ${event.action} ${event.target_type}`)
    const kinds = [...sorts.values()].map((list) => {
      const { workspace_id, action, target_type } = list[0] as DayEvent
      return { workspace_id, action, target_type, events: list.length }
    })
    return [{ day: dayNumber(n), first, last, kinds: hasKinds(n) ? kinds : undefined }]
  })
  return { closed: days.flat(), open_from: dayNumber(closed) }
}

/** A log with ten events a day, one of them rare. */
const plainLog = Array.from({ length: 50 }, (_, i): DayEvent => {
  const isRare = i % 10 === 4
  return {
    position: i + 1,
    occurred_at: 1000 + i,
    day: dayNumber(Math.floor(i / 10)),
    workspace_id: isRare ? '' : 'busy',
    action: isRare ? 'rare' : 'common',
    target: `target-${i % 3}`,
    target_type: isRare ? 'account' : 'instance',
  }
})

test('a page needs the days of its events, and all open days if it may reach them', () => {
  const days = daysOf(plainLog, 4)
  const plain = { wanted: {}, visibility: 'all' as const, limit: 5 }
  const known = { workspaces: ['busy', ''], unknown_from: undefined }
  const cases: [EventRange, Parameters<typeof daysOfPage>[2], ReturnType<typeof daysOfPage>][] = [
    [from(1000, 1), plain, { from: dayNumber(0), to: dayNumber(0), ...known }],
    [from(1004, 5), plain, { from: dayNumber(0), to: dayNumber(0), ...known }],
    [from(1005, 6), plain, { from: dayNumber(0), to: dayNumber(1), ...known }],
    // The number of events after a time within a day is unknown.
    [from(1002), plain, { from: dayNumber(0), to: dayNumber(1), ...known }],
    [from(900), plain, { from: dayNumber(0), to: dayNumber(0), ...known }],
    [
      { ...from(900), until: 1003 },
      { ...plain, limit: 50 },
      { from: dayNumber(0), to: dayNumber(0), ...known },
    ],
    [{ ...from(900), until: 800 }, plain, undefined],
    [from(1038, 39), plain, { from: dayNumber(3), to: 'infinity', ...known, unknown_from: dayNumber(4) }],
    [from(1039, 40), plain, { from: dayNumber(4), to: 'infinity', workspaces: [], unknown_from: dayNumber(4) }],
    [
      from(1005, 6),
      { ...plain, wanted: { action: 'rare' }, limit: 2 },
      { from: dayNumber(0), to: dayNumber(2), workspaces: [''], unknown_from: undefined },
    ],
    [
      from(1005, 6),
      { ...plain, wanted: { action: 'none' } },
      { from: dayNumber(4), to: 'infinity', workspaces: [], unknown_from: dayNumber(4) },
    ],
    [{ ...from(1005, 6), until: 1030 }, { ...plain, wanted: { action: 'none' } }, undefined],
    [
      from(1000, 1),
      { ...plain, visibility: new Set(['']) },
      { from: dayNumber(0), to: 'infinity', workspaces: [''], unknown_from: dayNumber(4) },
    ],
    [
      from(1000, 1),
      { ...plain, visibility: new Set<string>() },
      { from: dayNumber(4), to: 'infinity', workspaces: [], unknown_from: dayNumber(4) },
    ],
  ]
  for (const [range, page, expected] of cases) {
    assert.deepEqual(daysOfPage(days, range, page), expected, JSON.stringify({ range, page }))
  }
})

test('a page that ends in a second that two days share needs both', () => {
  const shared = plainLog.map((event) => (event.position === 11 ? { ...event, occurred_at: 1009 } : event))
  const page = { wanted: {}, visibility: 'all' as const, limit: 50 }
  assert.equal(daysOfPage(daysOf(shared, 4), { ...from(900), until: 1009 }, page)?.to, dayNumber(1))
  assert.equal(daysOfPage(daysOf(shared, 4), { ...from(900), until: 1008 }, page)?.to, dayNumber(0))
})

test('without known days, a page needs every day', () => {
  const everywhere = { from: '-infinity', to: 'infinity', workspaces: [], unknown_from: '-infinity' }
  assert.deepEqual(daysOfPage(noDaysKnown, from(1000, 1), { wanted: {}, visibility: 'all', limit: 5 }), everywhere)
})

const someEvent = fc.record({
  later_days: fc.constantFrom(0, 0, 0, 0, 1, 2),
  later_seconds: fc.nat(2),
  workspace_id: fc.constantFrom('', 'busy', 'busy', 'quiet'),
  action: fc.constantFrom('common', 'common', 'rare'),
  target: fc.constantFrom('one', 'two'),
  target_type: fc.constantFrom('instance', 'order'),
})
const someLog = fc.array(someEvent, { maxLength: 40 }).map((list) => {
  let day = 0
  let occurred_at = 1000
  return list.map(({ later_days, later_seconds, ...event }, i): DayEvent => {
    day += later_days
    occurred_at += later_seconds
    return { ...event, position: i + 1, occurred_at, day: dayNumber(day) }
  })
})
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const somePage = fc.record({
  wanted: fc.oneof(
    fc.constant({}),
    fc.record({
      action: optional(fc.constantFrom('common', 'rare')),
      target: optional(fc.constantFrom('one')),
      target_type: optional(fc.constantFrom('order')),
    }),
  ),
  visibility: fc.constantFrom<Visibility>('all', 'all', new Set(['', 'quiet']), new Set(['']), new Set<string>()),
  limit: fc.integer({ min: 1, max: 15 }),
  start: fc.nat(60),
  has_position: fc.boolean(),
  until: fc.constantFrom(endOfTime, endOfTime, 1005, 1020),
})

function fits(event: DayEvent, wanted: WantedEvents, visibility: Visibility): boolean {
  return (
    (wanted.action ?? event.action) === event.action &&
    (wanted.target ?? event.target) === event.target &&
    (wanted.target_type ?? event.target_type) === event.target_type &&
    (visibility === 'all' || visibility.has(event.workspace_id))
  )
}

test('no event of a page is in another day or in a workspace that is left out', () => {
  const property = fc.property(
    someLog,
    fc.nat(12),
    fc.nat(12),
    somePage,
    (log, closed, unlisted, { wanted, visibility, limit, start, has_position, until }) => {
      const first = log[start % Math.max(log.length, 1)]
      const occurred_at = first?.occurred_at ?? 1000
      const range = { after: { occurred_at, position: has_position && first ? first.position : 0 }, until }
      const known = daysOf(log, closed, (day) => day !== unlisted)
      const days = daysOfPage(known, range, { wanted, visibility, limit })
      const page = log
        .filter((event) => event.occurred_at > occurred_at || event.position > range.after.position)
        .filter(
          (event) => event.occurred_at >= occurred_at && event.occurred_at <= until && fits(event, wanted, visibility),
        )
        .slice(0, limit)
      if (!days) return assert.deepEqual(page, [])
      for (const { day, workspace_id } of page) {
        assert.ok(day >= days.from && (days.to === 'infinity' || day <= days.to))
        const isFound = days.unknown_from !== undefined && day >= days.unknown_from
        assert.ok(isFound || days.workspaces.includes(workspace_id))
      }
    },
  )
  fc.assert(property, { numRuns: sized(10_000) })
})
