import { array, integer, minute, nullable, object, optional, resource, type Static } from './schema.ts'

/** A schedule in an answer has at most so many steps. */
const stepsMax = 100_000
const nodeCount = integer({ min: 0, max: 1_000_000 })

/** One step of a schedule in an answer: so many nodes from `start_at` until before `end_at`; `null` = without end. */
export const scheduleEntry = resource('ScheduleEntry', {
  start_at: minute(),
  end_at: nullable(minute({ description: 'Unix seconds, a multiple of 60; `null` = without end.' })),
  node_count: nodeCount,
})
export type ScheduleEntry = Static<typeof scheduleEntry>

/** Node count over time in an answer: rising, without overlap; nothing outside. */
export function schedule() {
  return array(scheduleEntry, { max: stepsMax })
}

/**
 * Node count over time in a request: rising, without overlap, gaps count as zero. Only the last entry may be open
 * (`end_at: null`); on the others an absent `end_at` means the start of the next.
 */
export function scheduleInput() {
  return array(
    object({
      start_at: minute(),
      end_at: optional(nullable(minute({ description: 'Absent: the start of the next entry; `null`: without end.' }))),
      node_count: nodeCount,
    }),
    { min: 1, max: 500, description: 'Rising, without overlap; gaps count as zero; only the last entry may be open.' },
  )
}
