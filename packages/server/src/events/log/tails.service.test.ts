import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { createSeededRandom } from '../../core/base/random.ts'
import { eventCursorKey, eventCursorLength, openEventCursor, sealEventCursors } from '../../core/keys/event-cursor.ts'
import { makeKeys } from '../../core/keys/key-files.ts'
import { createCursorKeys, loadKeys } from '../../core/keys/keys.ts'
import { emptyPage, renderRead, renderSelection } from '../serving/event-pages.service.ts'
import type { EventRange, ReadPage, TailRow, Visibility, WantedEvents } from './events.rules.ts'
import { covers, type EventTail, emptyTail, extendTail, findCursor, lastPlace, selectEvents } from './tails.service.ts'

const { cursor_roots } = loadKeys(makeKeys('sandbox', createSeededRandom('tails')))
const keys = createCursorKeys(cursor_roots, [{ key_id: 0, ended: false, history: 1 }])
const plain = { account_id: 'acme', filters: {} }
const filtered = { account_id: 'acme', filters: { action: 'a' } }
const key = eventCursorKey(keys.current, plain)

type TailPage = { data: { n: number; cursor: string }[]; has_more: boolean; cursor?: string }

const draft = fc.record({
  step: fc.integer({ min: 0, max: 2 }),
  action: fc.constantFrom('a', 'b'),
  target_type: fc.constantFrom('x', 'y'),
  target_id: fc.constantFrom('1', '2', '3'),
  workspace_id: fc.constantFrom('', 'w1', 'w2'),
  text: fc.constantFrom('', 'é', '€', '𝄞'),
})
type EventDraft = typeof draft extends fc.Arbitrary<infer T> ? T : never

function rowsOf(drafts: readonly EventDraft[]): TailRow[] {
  let occurred_at = 1000
  return drafts.map(({ step, text, ...row }, i) => {
    occurred_at += step
    return { ...row, position: i + 1, occurred_at, body: `{"n":${i + 1},"text":"${text}","cursor":"` }
  })
}

function isWanted(row: TailRow, { action, target, target_type }: WantedEvents, visibility: Visibility): boolean {
  return (
    (action === undefined || row.action === action) &&
    (target === undefined || row.target_id === target) &&
    (target_type === undefined || row.target_type === target_type) &&
    (visibility === 'all' || visibility.has(row.workspace_id))
  )
}

/** A tail of these rows, added in parts. */
function tailOf(rows: readonly TailRow[], part: number): EventTail {
  const tail = emptyTail()
  for (let at = 0; at < rows.length; at += part) extendTail(tail, rows.slice(at, at + part), key)
  tail.is_whole = rows.length <= 1024
  return tail
}

const request = fc.record({
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  isSince: fc.boolean(),
  until: fc.option(fc.integer({ min: 995, max: 1060 }), { nil: Number.MAX_SAFE_INTEGER }),
  limit: fc.integer({ min: 1, max: 12 }),
  wanted: fc.record(
    { action: fc.constantFrom('a', 'b'), target: fc.constantFrom('1', '2'), target_type: fc.constantFrom('x', 'y') },
    { requiredKeys: [] },
  ),
  visibility: fc.constantFrom<Visibility>('all', new Set(['', 'w1']), new Set(['']), new Set()),
})

test('a page of a tail equals a plain filter of the rows, and its cursors open at their events', () => {
  const property = fc.property(
    fc.array(draft, { minLength: 1, maxLength: 60 }),
    fc.integer({ min: 1, max: 20 }),
    request,
    (drafts, part, { from, isSince, until, limit, wanted, visibility }) => {
      const rows = rowsOf(drafts)
      const tail = tailOf(rows, part)
      const start = rows[Math.floor(from * (rows.length - 1))] as TailRow
      const after = { occurred_at: start.occurred_at, position: isSince ? 0 : start.position }
      const range: EventRange = { after, until }
      const isPlain = Object.keys(wanted).length === 0
      const selection = selectEvents(tail, range, { wanted: isPlain ? undefined : wanted, visibility, limit })
      const scope = isPlain ? plain : filtered
      const sealing = isPlain ? undefined : eventCursorKey(keys.current, filtered)
      const page = JSON.parse(String(renderSelection(tail, selection, sealing))) as TailPage
      const behind = rows.filter(
        ({ occurred_at, position }) =>
          occurred_at <= until &&
          (occurred_at > after.occurred_at || (occurred_at === after.occurred_at && position > after.position)),
      )
      const fitting = behind.filter((row) => isWanted(row, wanted, visibility))
      assert.deepEqual(
        page.data.map(({ n }) => n),
        fitting.slice(0, limit).map(({ position }) => position),
      )
      assert.equal(page.has_more, fitting.length > limit)
      assert.equal(page.cursor, page.data.at(-1)?.cursor)
      for (const [i, { cursor }] of page.data.entries()) {
        const { position, occurred_at } = fitting[i] as TailRow
        assert.deepEqual(openEventCursor(keys, scope, cursor), {
          position,
          recorded_at: occurred_at,
          ended: false,
          history: 1,
        })
      }
    },
  )
  fc.assert(property, { numRuns: 1500 })
})

test('a tail finds the cursors of its own events and no others', () => {
  const rows = rowsOf(fc.sample(draft, { numRuns: 1500, seed: 4 }))
  const marks = rows.map(({ position, occurred_at }) => ({ position, recorded_at: occurred_at }))
  const cursors = sealEventCursors(key, marks)
  const others = sealEventCursors(eventCursorKey(keys.current, filtered), marks)
  const tail = tailOf(rows, 100)
  const [first] = tail.positions as [number]
  assert.ok(first > 1)
  for (const [i, cursor] of cursors.entries()) {
    assert.deepEqual(findCursor(tail, cursor), i + 1 < first ? undefined : marks[i])
    assert.equal(findCursor(tail, others[i] as string), undefined)
    assert.equal(findCursor(tail, `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'E' : 'A'}`), undefined)
  }
  assert.equal(findCursor(emptyTail(), cursors[0] as string), undefined)
  assert.equal(findCursor(tail, sealEventCursors(key, [{ position: 1501, recorded_at: 1 }])[0] as string), undefined)
  for (const text of ['', 'evtc_', 'é'.repeat(48)]) assert.equal(findCursor(tail, text), undefined)
})

/** Some rows, as the database returns a page of them. */
function readOf(rows: readonly TailRow[]): ReadPage {
  const texts = rows.map(({ body }) => `${body}${' '.repeat(eventCursorLength)}"},`)
  return {
    marks: rows.map(({ position, occurred_at }) => ({ position, recorded_at: occurred_at })),
    lengths: texts.map((text) => Buffer.byteLength(text)),
    text: texts.join(''),
  }
}

test('a page from a tail and a page from rows are the same bytes', () => {
  const rows = rowsOf(fc.sample(draft, { numRuns: 20, seed: 1 }))
  const tail = tailOf(rows, 7)
  const all = { after: { occurred_at: 0, position: 0 }, until: Number.MAX_SAFE_INTEGER }
  const select = (limit: number) => selectEvents(tail, all, { wanted: undefined, visibility: 'all', limit })
  assert.deepEqual(renderSelection(tail, select(50), undefined), renderRead(readOf(rows), 50, key))
  assert.deepEqual(renderSelection(tail, select(8), undefined), renderRead(readOf(rows.slice(0, 9)), 8, key))
  assert.equal(renderRead(readOf([]), 50, key), emptyPage)
  assert.equal(
    renderSelection(emptyTail(), { from: 0, count: 0, picks: undefined, has_more: false }, undefined),
    emptyPage,
  )
})

test('a tail that exceeds its maximum removes its oldest events and keeps the others unchanged', () => {
  const rows = rowsOf(fc.sample(draft, { numRuns: 3000, seed: 2 }))
  const tail = emptyTail()
  for (let at = 0; at < rows.length; at += 100) {
    extendTail(tail, rows.slice(at, at + 100), key)
    const count = tail.positions.length
    assert.ok(count <= 1024)
    const kept = rows.slice(at + 100 - count, at + 100)
    assert.deepEqual(
      tail.positions,
      kept.map(({ position }) => position),
    )
    assert.deepEqual(lastPlace(tail), { occurred_at: kept.at(-1)?.occurred_at, position: at + 100 })
    const [oldest] = kept as [TailRow]
    assert.equal(covers(tail, { occurred_at: oldest.occurred_at, position: oldest.position - 1 }), true)
    assert.equal(covers(tail, { occurred_at: oldest.occurred_at, position: oldest.position - 2 }), tail.is_whole)
    const range = { after: { occurred_at: oldest.occurred_at, position: oldest.position - 1 }, until: 1e12 }
    const selection = selectEvents(tail, range, { wanted: undefined, visibility: 'all', limit: 200 })
    assert.deepEqual(renderSelection(tail, selection, undefined), renderRead(readOf(kept.slice(0, 201)), 200, key))
  }
  extendTail(tail, rowsOf(fc.sample(draft, { numRuns: 2500, seed: 3 })), key)
  assert.equal(tail.positions.length, 512)
})
