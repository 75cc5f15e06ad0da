// Schedules: node counts over whole minutes, as right-continuous step functions. Allocation, promises, orders and fills
// are schedules.
//
// Invariant: canonical form (minutes rise, neighbouring counts differ, the first count is not zero), so equal functions
// are equal arrays. Arguments are never changed.

/**
 * A flat array `[minute, count, minute, count, …]`. Each count holds from its minute until the next one; before the
 * first minute the count is zero. A last count other than zero is an open end. Counts can be negative, because
 * differences are schedules too. The array is flat because V8 stores small integers densely, without an object for each
 * step.
 */
export type Schedule = readonly number[]

/** One step in an answer: seconds, half-open, `end_at: null` for an open end. */
export interface ScheduleEntry {
  start_at: number
  end_at: number | null
  node_count: number
}

/** One step in a request: `end_at` may be missing on all but the last. */
export interface ScheduleEntryInput {
  start_at: number
  end_at?: number | null | undefined
  node_count: number
}

/** One stored step: from `minute` on there are `delta` nodes more than before. */
interface ScheduleDelta {
  minute: number
  delta: number
}

/** Zero everywhere. */
export const empty: Schedule = Object.freeze([])

/** The end of a window without an end. */
export const openEnd = Number.POSITIVE_INFINITY

/** `count` nodes from minute `start` up to, not including, minute `end`. */
export function rectangle(start: number, end: number, count: number): Schedule {
  if (count === 0 || end <= start) return empty
  return end === openEnd ? [start, count] : [start, count, end, 0]
}

/** The node count that holds in `minute`. */
export function at(schedule: Schedule, minute: number): number {
  const index = stepAt(schedule, minute)
  return index < 0 ? 0 : count(schedule, index)
}

/** The sum of each minute. Steps outside of `b` are copied at once. */
export function add(a: Schedule, b: Schedule): Schedule {
  return a.length === 0 ? b : accumulate(a, b, 1)
}

/** The difference of each minute; negative where `b` is greater. Steps outside of `b` are copied at once. */
export function subtract(a: Schedule, b: Schedule): Schedule {
  return accumulate(a, b, -1)
}

/** The smaller count of each minute. */
export function min(a: Schedule, b: Schedule): Schedule {
  return combine(a, b, (x, y) => Math.min(x, y))
}

/** The greater count of each minute. */
export function max(a: Schedule, b: Schedule): Schedule {
  return combine(a, b, (x, y) => Math.max(x, y))
}

/** The sum of many schedules. Halves are added in pairs, so n schedules of k steps cost n·k·log n and not n²·k. */
export function sum(schedules: readonly Schedule[]): Schedule {
  if (schedules.length <= 1) return schedules[0] ?? empty
  const middle = schedules.length >> 1
  return add(sum(schedules.slice(0, middle)), sum(schedules.slice(middle)))
}

/** The part within minutes `[from, to)`, zero elsewhere. It costs two searches and a copy of the part. */
export function clip(schedule: Schedule, from: number, to: number = openEnd): Schedule {
  if (schedule.length === 0 || to <= from) return empty
  const first = stepAt(schedule, from)
  const last = to === openEnd ? schedule.length - 2 : stepBefore(schedule, to)
  if (first === last && first < 0) return empty
  const inner = schedule.slice(first + 2, last + 2)
  const entered = first < 0 ? 0 : count(schedule, first)
  const left = last < 0 ? 0 : count(schedule, last)
  const clipped = entered === 0 ? inner : [from, entered, ...inner]
  if (left !== 0 && to !== openEnd) clipped.push(to, 0)
  return clipped
}

/** Whether `a` has at least as many nodes as `b` in every minute. */
export function covers(a: Schedule, b: Schedule): boolean {
  let i = 0
  let j = 0
  let x = 0
  let y = 0
  while (i < a.length || j < b.length) {
    const minuteA = i < a.length ? minute(a, i) : openEnd
    const minuteB = j < b.length ? minute(b, j) : openEnd
    if (minuteA <= minuteB) {
      x = count(a, i)
      i += 2
    }
    if (minuteB <= minuteA) {
      y = count(b, j)
      j += 2
    }
    if (x < y) return false
  }
  return true
}

/** Whether both are the same function. The form is canonical, so it compares arrays. */
export function equal(a: Schedule, b: Schedule): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/** The sum over all minutes. Throws for an open end. */
export function nodeMinutes(schedule: Schedule): bigint {
  if (isOpenEnded(schedule)) throw new RangeError('a schedule with an open end has no finite number of node-minutes')
  let total = 0n
  for (let i = 0; i + 2 < schedule.length; i += 2) {
    total += BigInt(count(schedule, i)) * BigInt(minute(schedule, i + 2) - minute(schedule, i))
  }
  return total
}

/** Whether it never returns to zero. */
function isOpenEnded(schedule: Schedule): boolean {
  return schedule.length > 0 && count(schedule, schedule.length - 2) !== 0
}

/** First and end minute of the part that is not zero, `undefined` if there is none. */
export function span(schedule: Schedule): { start: number; end: number } | undefined {
  if (schedule.length === 0) return undefined
  const end = isOpenEnded(schedule) ? openEnd : minute(schedule, schedule.length - 2)
  return { start: minute(schedule, 0), end }
}

/** The first minute after `minute` from which another count holds, `undefined` if there is none. */
export function nextChange(schedule: Schedule, minute: number): number | undefined {
  return schedule[stepAt(schedule, minute) + 2]
}

/** The stored steps by rising minute: none for an empty schedule, two for a rectangle. */
export function toDeltas(schedule: Schedule): ScheduleDelta[] {
  const deltas: ScheduleDelta[] = []
  let before = 0
  for (let i = 0; i < schedule.length; i += 2) {
    deltas.push({
      minute: minute(schedule, i),
      delta: count(schedule, i) - before,
    })
    before = count(schedule, i)
  }
  return deltas
}

/** The schedule of stored steps in any order. Steps of the same minute are added. */
export function fromDeltas(deltas: readonly ScheduleDelta[]): Schedule {
  const sorted = deltas.toSorted((a, b) => a.minute - b.minute)
  const edges: number[] = []
  let running = 0
  for (const [index, { minute, delta }] of sorted.entries()) {
    running += delta
    if (sorted[index + 1]?.minute !== minute) appendStep(edges, minute, running)
  }
  return edges
}

/** The refusal of entries of a request, with a detail code of docs/errors.md and the field. */
interface EntriesRefusal {
  code: 'required' | 'out_of_range' | 'not_aligned' | 'invalid_range' | 'too_many'
  field: string
  message: string
}

/** The most entries of one schedule in a request (docs/concepts/market.md, "Windows"). */
export const entriesMax = 500

/** The greatest node count of an entry in a request (docs/concepts/market.md, "Windows"). */
const nodeCountMax = 1_000_000

/** The greatest time, in the year 6053. Its minute fits a 32-bit column and a small integer of V8. */
export const secondMax = (2 ** 31 - 1) * 60

/**
 * Parses the entries of a request: seconds that are multiples of 60, ascending, not overlapping. A
 * missing `end_at` is the next `start_at`, a gap is zero, and only the last entry may have an open end. The JSON schema
 * has checked that each value is an integer. A refusal names `field` and the entry, as in
 * `allocation_schedule_delta.2.end_at`.
 */
export function fromEntries(
  entries: readonly ScheduleEntryInput[],
  field: string,
): { schedule: Schedule } | { refusal: EntriesRefusal } {
  if (entries.length > entriesMax) {
    return {
      refusal: {
        code: 'too_many',
        field,
        message: `A schedule has at most ${entriesMax} entries.`,
      },
    }
  }
  const edges: number[] = []
  for (const [index, entry] of entries.entries()) {
    const next = entries[index + 1]
    const refusal = refuseEntry(entry, next, `${field}.${index}`)
    if (refusal) return { refusal }
    const end = entry.end_at === undefined ? next?.start_at : entry.end_at
    appendStep(edges, entry.start_at / 60, entry.node_count)
    if (typeof end === 'number' && end !== next?.start_at) appendStep(edges, end / 60, 0)
  }
  return { schedule: edges }
}

/** The entries of an answer: every end is explicit, equal neighbours are merged, zero ranges are left out. */
export function toEntries(schedule: Schedule): ScheduleEntry[] {
  const entries: ScheduleEntry[] = []
  for (let i = 0; i < schedule.length; i += 2) {
    const node_count = count(schedule, i)
    const end = schedule[i + 2]
    if (node_count === 0) continue
    entries.push({
      start_at: minute(schedule, i) * 60,
      end_at: end === undefined ? null : end * 60,
      node_count,
    })
  }
  return entries
}

function refuseEntry(
  entry: ScheduleEntryInput,
  next: ScheduleEntryInput | undefined,
  field: string,
): EntriesRefusal | undefined {
  const { start_at, end_at, node_count } = entry
  if (node_count < 0 || node_count > nodeCountMax) {
    return {
      code: 'out_of_range',
      field: `${field}.node_count`,
      message: `A count is 0 to ${nodeCountMax} nodes.`,
    }
  }
  const badTime = refuseTime(start_at, `${field}.start_at`)
  if (badTime) return badTime
  if (end_at === undefined && next === undefined) {
    return {
      code: 'required',
      field: `${field}.end_at`,
      message: 'The last entry needs an end_at; null means no end.',
    }
  }
  if (end_at === null && next !== undefined) {
    return {
      code: 'invalid_range',
      field: `${field}.end_at`,
      message: 'Only the last entry may have an open end.',
    }
  }
  if (typeof end_at === 'number') {
    const badEnd = refuseTime(end_at, `${field}.end_at`)
    if (badEnd) return badEnd
    if (end_at <= start_at) {
      return {
        code: 'invalid_range',
        field: `${field}.end_at`,
        message: 'An entry ends after it starts.',
      }
    }
    if (next !== undefined && next.start_at < end_at) {
      return {
        code: 'invalid_range',
        field: `${field}.end_at`,
        message: 'Entries are ascending and do not overlap.',
      }
    }
  } else if (next !== undefined && next.start_at <= start_at) {
    return {
      code: 'invalid_range',
      field: `${field}.start_at`,
      message: 'Entries are ascending and do not overlap.',
    }
  }
  return undefined
}

function refuseTime(second: number, field: string): EntriesRefusal | undefined {
  if (second < 0 || second > secondMax) {
    return {
      code: 'out_of_range',
      field,
      message: `A time is 0 to ${secondMax} seconds.`,
    }
  }
  if (second % 60 !== 0) {
    return {
      code: 'not_aligned',
      field,
      message: 'Schedules change at whole minutes: multiples of 60 seconds.',
    }
  }
  return undefined
}

/** Appends a step to edges under construction, if the count changes. */
export function appendStep(edges: number[], minute: number, count: number): void {
  const before = edges.length === 0 ? 0 : edges[edges.length - 1]
  if (count !== before) edges.push(minute, count)
}

function combine(a: Schedule, b: Schedule, operation: (x: number, y: number) => number): Schedule {
  const edges: number[] = []
  let i = 0
  let j = 0
  let x = 0
  let y = 0
  while (i < a.length || j < b.length) {
    const minuteA = i < a.length ? minute(a, i) : openEnd
    const minuteB = j < b.length ? minute(b, j) : openEnd
    if (minuteA <= minuteB) {
      x = count(a, i)
      i += 2
    }
    if (minuteB <= minuteA) {
      y = count(b, j)
      j += 2
    }
    appendStep(edges, Math.min(minuteA, minuteB), operation(x, y))
  }
  return edges
}

/** `a + sign × b`. Only the steps between the first and the last step of `b` are merged; the others are copied. */
function accumulate(a: Schedule, b: Schedule, sign: 1 | -1): Schedule {
  if (b.length === 0) return a
  let i = stepBefore(a, minute(b, 0)) + 2
  const edges = a.slice(0, i)
  let x = i === 0 ? 0 : count(a, i - 2)
  for (let j = 0; j < b.length; j += 2) {
    const y = sign * count(b, j)
    const from = minute(b, j)
    const to = j + 2 < b.length ? minute(b, j + 2) : openEnd
    if (i < a.length && minute(a, i) === from) {
      x = count(a, i)
      i += 2
    }
    appendStep(edges, from, x + y)
    if (y === 0 && to === openEnd) break
    for (; i < a.length && minute(a, i) < to; i += 2) {
      x = count(a, i)
      appendStep(edges, minute(a, i), x + y)
    }
  }
  for (; i < a.length; i += 1) edges.push(a[i] as number)
  return edges
}

/** Index of the last step that begins at or before `minute`, -2 if none does. */
function stepAt(schedule: Schedule, minute: number): number {
  return stepBefore(schedule, minute + 1)
}

/** Index of the last step that begins before `minute`, -2 if none does. */
function stepBefore(schedule: Schedule, minute: number): number {
  let low = 0
  let high = schedule.length >> 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((schedule[2 * middle] as number) < minute) low = middle + 1
    else high = middle
  }
  return 2 * low - 2
}

function minute(schedule: Schedule, index: number): number {
  return schedule[index] as number
}

function count(schedule: Schedule, index: number): number {
  return schedule[index + 1] as number
}
