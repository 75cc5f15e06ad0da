import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import type { Schedule, ScheduleEntryInput } from './schedule.rules.ts'
import * as schedules from './schedule.rules.ts'

/**
 * The brute-force reference model: every function a plain list of counts, one for each of the minutes 0 to 39. `far`
 * stands for all minutes after the last edge, so open ends are covered too.
 */
const minutes = 40
const far = 1_000
type NaiveSchedule = number[]

function naiveOf(schedule: Schedule): NaiveSchedule {
  return everyMinute((minute) => {
    let holds = 0
    for (let i = 0; i < schedule.length; i += 2) {
      if ((schedule[i] as number) <= minute) holds = schedule[i + 1] as number
    }
    return holds
  })
}

function everyMinute(count: (minute: number) => number): NaiveSchedule {
  return [...Array.from({ length: minutes }, (_, minute) => count(minute)), count(far)]
}

function zip(a: Schedule, b: Schedule, operation: (x: number, y: number) => number): NaiveSchedule {
  const right = naiveOf(b)
  return naiveOf(a).map((x, minute) => operation(x, right[minute] as number))
}

const anyMinute = fc.integer({ min: 0, max: minutes - 1 })
const anyWindow = fc.tuple(anyMinute, fc.option(anyMinute, { nil: schedules.openEnd }))
const anyRectangle = fc
  .tuple(anyWindow, fc.integer({ min: -3, max: 5 }))
  .map(([[from, to], count]) => schedules.rectangle(Math.min(from, to), Math.max(from, to), count))
const anySchedule = fc.array(anyRectangle, { maxLength: 6 }).map(schedules.sum)
const bounded = anySchedule.map((schedule) => schedules.clip(schedule, 0, minutes))
const positive = anySchedule.map((schedule) => schedules.max(schedule, schedules.empty))

function isCanonical(schedule: Schedule): boolean {
  let before = 0
  for (let i = 0; i < schedule.length; i += 2) {
    const rises = i === 0 || (schedule[i - 2] as number) < (schedule[i] as number)
    if (!rises || schedule[i + 1] === before) return false
    before = schedule[i + 1] as number
  }
  return schedule.length % 2 === 0
}

/** All 18 laws together run a million cases. */
const casesOfLaw = sized(56_000)

function holds(law: fc.IPropertyWithHooks<unknown>): void {
  fc.assert(law, { numRuns: casesOfLaw })
}

test('a rectangle is zero before its window and after it, and nothing where it is empty', () => {
  const plain = (start: number, end: number, count: number) =>
    everyMinute((minute) => (minute >= start && minute < end ? count : 0))
  for (const [start, end] of [
    [0, 5],
    [3, 4],
    [7, schedules.openEnd],
    [4, 4],
    [6, 2],
  ] as const) {
    assert.deepEqual(naiveOf(schedules.rectangle(start, end, 3)), plain(start, end, 3), `${start} to ${end}`)
  }
  assert.deepEqual(schedules.rectangle(1, 5, 0), schedules.empty)
  assert.deepEqual(schedules.rectangle(5, 5, 2), schedules.empty)
})

test('schedules are equal only with the same steps', () => {
  assert.ok(schedules.equal([1, 2, 5, 0], [1, 2, 5, 0]))
  assert.ok(!schedules.equal([1, 2, 5, 0], [1, 2, 6, 0]))
  assert.ok(!schedules.equal([1, 2, 5, 0], [1, 2]))
  assert.ok(!schedules.equal([1, 2], [1, 2, 5, 0]))
  assert.ok(!schedules.equal(schedules.empty, [1, 2]))
})

test('a schedule may have as many entries as the limit says, and no more', () => {
  const entries = (length: number) =>
    Array.from({ length }, (_, index) => ({ start_at: index * 120, end_at: index * 120 + 60, node_count: 1 }))
  const refused = (length: number) => {
    const found = schedules.fromEntries(entries(length), 'delta')
    return 'refusal' in found ? found.refusal.code : undefined
  }
  assert.equal(refused(schedules.entriesMax), undefined)
  assert.equal(refused(schedules.entriesMax + 1), 'too_many')
})

describe('schedules agree with plain lists of minutes', () => {
  const pairs: [string, typeof schedules.add, (x: number, y: number) => number][] = [
    ['add', schedules.add, (x, y) => x + y],
    ['subtract', schedules.subtract, (x, y) => x - y],
    ['min', schedules.min, Math.min],
    ['max', schedules.max, Math.max],
  ]
  for (const [name, operation, onCounts] of pairs) {
    test(`${name} works minute by minute and stays canonical`, () => {
      holds(
        fc.property(anySchedule, anySchedule, (a, b) => {
          const result = operation(a, b)
          assert.deepEqual(naiveOf(result), zip(a, b, onCounts))
          assert.ok(isCanonical(result))
        }),
      )
    })
  }

  test('at reads the count of a minute', () => {
    holds(
      fc.property(anySchedule, (a) =>
        assert.deepEqual(
          everyMinute((minute) => schedules.at(a, minute)),
          naiveOf(a),
        ),
      ),
    )
  })

  test('clip keeps what lies inside and zeroes the rest', () => {
    holds(
      fc.property(anySchedule, anyWindow, (a, [from, to]) => {
        const clipped = schedules.clip(a, from, to)
        const inside = everyMinute((minute) => (minute >= from && minute < to ? schedules.at(a, minute) : 0))
        assert.deepEqual(naiveOf(clipped), inside)
        assert.ok(isCanonical(clipped))
      }),
    )
  })

  test('covers compares every minute', () => {
    holds(
      fc.property(anySchedule, anySchedule, (a, b) => {
        const everywhere = zip(a, b, (x, y) => (x >= y ? 1 : 0)).every((yes) => yes === 1)
        assert.equal(schedules.covers(a, b), everywhere)
      }),
    )
  })

  test('nextChange finds the next minute with another count', () => {
    holds(
      fc.property(anySchedule, anyMinute, (a, minute) => {
        let next = minute + 1
        while (next < minutes && schedules.at(a, next) === schedules.at(a, next - 1)) next += 1
        assert.equal(schedules.nextChange(a, minute), next < minutes ? next : undefined)
      }),
    )
  })

  test('nodeMinutes counts every minute', () => {
    holds(
      fc.property(bounded, (a) => {
        const total = naiveOf(a).reduce((x, y) => x + y, 0)
        assert.equal(schedules.nodeMinutes(a), BigInt(total))
      }),
    )
  })
})

describe('the laws of schedules', () => {
  test('subtract undoes add', () => {
    holds(
      fc.property(anySchedule, anySchedule, (a, b) => assert.deepEqual(schedules.subtract(schedules.add(a, b), b), a)),
    )
  })

  test('add is commutative and associative', () => {
    holds(
      fc.property(anySchedule, anySchedule, anySchedule, (a, b, c) => {
        assert.deepEqual(schedules.add(a, b), schedules.add(b, a))
        assert.deepEqual(schedules.add(schedules.add(a, b), c), schedules.add(a, schedules.add(b, c)))
      }),
    )
  })

  test('both cover their min, and their max covers both', () => {
    holds(
      fc.property(anySchedule, anySchedule, (a, b) => {
        assert.ok(schedules.covers(a, schedules.min(a, b)) && schedules.covers(b, schedules.min(a, b)))
        assert.ok(schedules.covers(schedules.max(a, b), a) && schedules.covers(schedules.max(a, b), b))
        assert.deepEqual(schedules.add(schedules.min(a, b), schedules.max(a, b)), schedules.add(a, b))
      }),
    )
  })

  test('clip twice is clip once, and the parts of a cut add up to the whole', () => {
    holds(
      fc.property(anySchedule, anyWindow, anyMinute, (a, [from, to], cut) => {
        const clipped = schedules.clip(a, from, to)
        assert.deepEqual(schedules.clip(clipped, from, to), clipped)
        assert.deepEqual(schedules.add(schedules.clip(a, 0, cut), schedules.clip(a, cut)), a)
      }),
    )
  })

  test('nodeMinutes is additive', () => {
    holds(
      fc.property(bounded, bounded, (a, b) =>
        assert.equal(schedules.nodeMinutes(schedules.add(a, b)), schedules.nodeMinutes(a) + schedules.nodeMinutes(b)),
      ),
    )
  })

  test('equal functions have one form, however they were built', () => {
    holds(
      fc.property(fc.array(anyRectangle, { maxLength: 6 }), (parts) => {
        const forwards = parts.reduce<Schedule>(schedules.add, schedules.empty)
        const backwards = parts.toReversed().reduce<Schedule>(schedules.add, schedules.empty)
        assert.deepEqual(forwards, backwards)
        assert.deepEqual(schedules.sum(parts), forwards)
        assert.ok(schedules.equal(forwards, backwards) && isCanonical(forwards))
      }),
    )
  })

  test('span reaches from the first to the last minute that is not zero', () => {
    assert.equal(schedules.span(schedules.empty), undefined)
    assert.deepEqual(schedules.span([3, 1, 5, 0, 7, 2, 9, 0]), {
      start: 3,
      end: 9,
    })
    assert.deepEqual(schedules.span([3, 1]), {
      start: 3,
      end: schedules.openEnd,
    })
  })

  test('no node-minutes are counted for an open end', () => {
    assert.throws(() => schedules.nodeMinutes([5, 1]), RangeError)
  })
})

describe('schedules survive their round trips', () => {
  test('through storage rows, in any order', () => {
    holds(
      fc.property(anySchedule, (a) => {
        const rows = schedules.toDeltas(a)
        assert.deepEqual(schedules.fromDeltas(rows), a)
        assert.deepEqual(schedules.fromDeltas(rows.toReversed()), a)
        assert.ok(rows.every(({ delta }) => delta !== 0))
      }),
    )
  })

  test('rows of two schedules together are the rows of their sum', () => {
    holds(
      fc.property(anySchedule, anySchedule, (a, b) => {
        const both = schedules.fromDeltas([...schedules.toDeltas(a), ...schedules.toDeltas(b)])
        assert.deepEqual(both, schedules.add(a, b))
      }),
    )
  })

  test('through API entries', () => {
    holds(
      fc.property(positive, (a) => {
        const entries = schedules.toEntries(a)
        assert.deepEqual(schedules.fromEntries(entries, 'delta'), {
          schedule: a,
        })
        assert.ok(entries.every((entry) => entry.node_count > 0 && entry.start_at % 60 === 0))
      }),
    )
  })
})

describe('fromEntries parses the entries that the API allows', () => {
  const accepted: [string, ScheduleEntryInput[], Schedule][] = [
    ['nothing', [], []],
    ['one entry', [{ start_at: 120, end_at: 240, node_count: 4 }], [2, 4, 4, 0]],
    ['an open end on the last', [{ start_at: 120, end_at: null, node_count: 4 }], [2, 4]],
    [
      'an end inferred from the next start',
      [
        { start_at: 0, node_count: 1 },
        { start_at: 60, end_at: 120, node_count: 2 },
      ],
      [0, 1, 1, 2, 2, 0],
    ],
    [
      'gaps as zero',
      [
        { start_at: 0, end_at: 60, node_count: 1 },
        { start_at: 180, end_at: 240, node_count: 1 },
      ],
      [0, 1, 1, 0, 3, 1, 4, 0],
    ],
    [
      'equal neighbours merged, zeros left out',
      [
        { start_at: 0, end_at: 60, node_count: 3 },
        { start_at: 60, end_at: 120, node_count: 3 },
        { start_at: 120, end_at: 180, node_count: 0 },
      ],
      [0, 3, 2, 0],
    ],
    [
      'the greatest count and time',
      [{ start_at: 0, end_at: schedules.secondMax, node_count: 1_000_000 }],
      [0, 1_000_000, 2 ** 31 - 1, 0],
    ],
  ]
  for (const [what, entries, schedule] of accepted) {
    test(what, () => assert.deepEqual(schedules.fromEntries(entries, 'delta'), { schedule }))
  }

  const one = { start_at: 0, end_at: 60, node_count: 1 }
  const refused: [string, ScheduleEntryInput[], string, string][] = [
    ['a start between minutes', [{ ...one, start_at: 30 }], 'not_aligned', 'delta.0.start_at'],
    ['an end between minutes', [one, { start_at: 60, end_at: 119, node_count: 1 }], 'not_aligned', 'delta.1.end_at'],
    ['a negative time', [{ ...one, start_at: -60 }], 'out_of_range', 'delta.0.start_at'],
    ['a time past the last', [{ ...one, end_at: schedules.secondMax + 60 }], 'out_of_range', 'delta.0.end_at'],
    ['a negative count', [{ ...one, node_count: -1 }], 'out_of_range', 'delta.0.node_count'],
    ['too great a count', [{ ...one, node_count: 1_000_001 }], 'out_of_range', 'delta.0.node_count'],
    ['a last entry without end', [{ start_at: 0, node_count: 1 }], 'required', 'delta.0.end_at'],
    [
      'an open end before the last',
      [
        { ...one, end_at: null },
        { ...one, start_at: 60, end_at: 120 },
      ],
      'invalid_range',
      'delta.0.end_at',
    ],
    ['an empty entry', [{ start_at: 60, end_at: 60, node_count: 1 }], 'invalid_range', 'delta.0.end_at'],
    [
      'an entry that ends before it starts',
      [{ start_at: 120, end_at: 60, node_count: 1 }],
      'invalid_range',
      'delta.0.end_at',
    ],
    [
      'overlapping entries',
      [
        { ...one, end_at: 120 },
        { start_at: 60, end_at: 180, node_count: 1 },
      ],
      'invalid_range',
      'delta.0.end_at',
    ],
    ['falling entries without ends', [{ start_at: 60, node_count: 1 }, one], 'invalid_range', 'delta.0.start_at'],
    ['too many entries', Array.from({ length: 501 }, () => one), 'too_many', 'delta'],
  ]
  for (const [what, entries, code, field] of refused) {
    test(`${what} is refused as ${code}`, () => {
      const read = schedules.fromEntries(entries, 'delta')
      assert.ok('refusal' in read)
      assert.deepEqual([read.refusal.code, read.refusal.field], [code, field])
    })
  }
})
