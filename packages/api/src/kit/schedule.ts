import { array, integer, minute, nullable, object, optional, resource, type Static } from './schema.ts'

/** The most steps of a schedule in a response. */
const stepsMax = 100_000
const nodeCount = integer({ min: 0, max: 1_000_000, description: 'Number of nodes in each minute of the window.' })

/** The edges of a window of whole minutes. */
export const windowStart = () => minute({ description: 'First minute of the window, in Unix seconds.' })
export const windowEnd = () => minute({ description: 'End of the window, not included, in Unix seconds.' })

export const scheduleEntry = resource('ScheduleEntry', 'One step of a schedule: a number of nodes for a time.', {
  start_at: windowStart(),
  end_at: nullable(minute({ description: 'End of the window, not included, in Unix seconds. `null`: without end.' })),
  node_count: nodeCount,
})
export type ScheduleEntry = Static<typeof scheduleEntry>

/** The node count over time in a response: ascending, without overlap, zero elsewhere. */
export function schedule(description = 'Nodes over time') {
  return array(scheduleEntry, {
    max: stepsMax,
    description: `${description}: ascending, without overlap, zero where there is no entry.`,
  })
}

/**
 * The node count over time in a request: ascending, without overlap, zero in gaps. Only the last entry may be open
 * (`end_at: null`). On the others an absent `end_at` means the start of the next entry.
 */
export function scheduleInput(description: string) {
  return array(
    object({
      start_at: windowStart(),
      end_at: optional(
        nullable(
          minute({
            description:
              'End of the window, not included, in Unix seconds. Absent: the start of the next entry; `null`: ' +
              'without end.',
          }),
        ),
      ),
      node_count: nodeCount,
    }),
    {
      min: 1,
      max: 500,
      description: `${description}: ascending, without overlap. Gaps count as zero. Only the last entry may be open.`,
    },
  )
}
