/** The webhooks of a run, what their receiver got, and whether that is what the log says. */
import { statement } from '../../../src/core/db/db.ts'
import { readLog } from '../checks/inspection.ts'
import type { SimActor } from '../context.ts'
import { weekSeconds } from '../operations/readers.ts'
import { request, type SimRun } from '../run.ts'

/** An event that the receiver took. */
export type TakenEvent = { readonly event: string; readonly target: string }

export type Hook = {
  readonly id: string
  readonly actor: SimActor
  readonly path: string
  readonly ordering: 'none' | 'per_target'
  readonly fits: (event: { action: string; target_type: string; target_id: string }) => boolean
  /** The end of the log when it was made. */
  readonly position: number
  readonly taken: TakenEvent[]
  /** When each event was first sent, by the business clock. */
  readonly first_sent_at: Map<string, number>
}

const filters = [
  { actions: [], target_types: ['instance', 'image', 'order'] },
  { actions: ['instance.*'], target_types: [] },
  { actions: ['order.created', 'order.cancelled', 'image.revoked', 'image.reinstated'], target_types: [] },
] as const

const findPosition = statement<{ position: number }>('sim.find_hook', 'select position from webhooks where id = $1')
const countPending = statement<{ pending: number }>(
  'sim.count_pending_deliveries',
  `select count(*) as pending from webhook_deliveries where webhook_id = any($1) and state = 'pending'`,
)

/** Creates a webhook of a random account from the present on. */
export async function openHook(run: SimRun, hooks: Hook[]): Promise<void> {
  const { context, choices, monitor } = run
  const actor = choices.pick(context.actors.filter(({ isDisposable }) => !isDisposable))
  const { actions, target_types } = choices.pick(filters)
  const ordering = choices.pick(['none', 'per_target'] as const)
  const path = `/hook-${hooks.length}`
  const body = { url: `http://receiver.example${path}`, actions, target_types, ordering }
  const { status, body: made } = await request(run, actor, '/preview/v2/webhooks', 'POST', body)
  run.log(`webhook of ${actor.id}: ${status}`)
  if (status !== 201) return
  const { position = 0 } = (await monitor.database.reader.row(findPosition, [made.id])) ?? {}
  hooks.push({
    id: made.id,
    actor,
    path,
    ordering,
    position,
    taken: [],
    first_sent_at: new Map(),
    fits: ({ action, target_type }) =>
      (actions.length === 0 ||
        actions.some((one) => (one.endsWith('*') ? action.startsWith(one.slice(0, -1)) : action === one))) &&
      (target_types.length === 0 || (target_types as readonly string[]).includes(target_type)),
  })
}

/** The number of events that the receiver took at least once. */
export function countTaken({ taken }: Hook): number {
  return new Set(taken.map(({ event }) => event)).size
}

/** The deliveries that wait for another attempt. */
export async function pendingOf({ monitor }: SimRun, hooks: readonly Hook[]): Promise<number> {
  const row = await monitor.database.reader.row(countPending, [hooks.map(({ id }) => id)])
  return row?.pending ?? 0
}

/** What is wrong with what a receiver took: an event of the last week is missing, another was sent, or the order. */
export async function verifyHook({ context, monitor }: SimRun, hook: Hook): Promise<string[]> {
  const { actor, fits, position, taken, ordering } = hook
  const log = (await readLog(monitor.database, { actor, fits, from: 0 })).filter((event) => event.position > position)
  const places = new Map(log.map((event) => [event.id, event.position]))
  const got = new Set(taken.map(({ event }) => event))
  const kept = log.filter(({ occurred_at }) => occurred_at >= context.now - weekSeconds)
  const name = `events.reliable: the webhook ${hook.id} (${ordering})`
  const missing = kept.filter(({ id }) => !got.has(id)).map(({ id }) => `${name} never got ${id}`)
  const others = [...got].filter((id) => !places.has(id)).map((id) => `${name} got ${id}, which it does not want`)
  if (ordering === 'none') return [...missing, ...others]
  const late = [...Map.groupBy(taken, ({ target }) => target)].flatMap(([target, own]) => {
    const firsts = [...new Set(own.map(({ event }) => places.get(event) ?? 0))]
    const isInOrder = firsts.every((place, index) => index === 0 || place > (firsts[index - 1] as number))
    return isInOrder ? [] : [`${name} got the events of ${target} in the order ${firsts.join(', ')}`]
  })
  return [...missing, ...others, ...late]
}
