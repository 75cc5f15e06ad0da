import { array, integer, minute, nullable, object, optional, resource, type Static } from './schema.ts'

/** The most steps of a schedule in a response. */
const stepsMax = 100_000
const nodeCount = integer({ min: 0, max: 1_000_000 })

/** One step of a schedule in a response: a node count from `start_at` until before `end_at`; `null` is without end. */
export const scheduleEntry = resource('ScheduleEntry', {
  start_at: minute(),
  end_at: nullable(minute({ description: 'Unix seconds, a multiple of 60; `null` = without end.' })),
  node_count: nodeCount,
})
export type ScheduleEntry = Static<typeof scheduleEntry>

/** The node count over time in a response: ascending, without overlap, zero elsewhere. */
export function schedule() {
  return array(scheduleEntry, { max: stepsMax })
}

/**
 * The node count over time in a request: ascending, without overlap, zero in gaps. Only the last entry may be open
 * (`end_at: null`). On the others an absent `end_at` means the start of the next entry.
 */
export function scheduleInput() {
  return array(
    object({
      start_at: minute(),
      end_at: optional(nullable(minute({ description: 'Absent: the start of the next entry; `null`: without end.' }))),
      node_count: nodeCount,
    }),
    {
      min: 1,
      max: 500,
      description: 'Ascending, without overlap. Gaps count as zero. Only the last entry may be open.',
    },
  )
}
