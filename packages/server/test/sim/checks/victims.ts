/**
 * capacity.victims from the stored state: in each pool and SKU exactly the surplus has notice, ordered by lowest
 * priority, then newest, then id. Computed independently of the placement.
 */
import { byVictimOrder, type PriorityLevel } from '@bourse/api/fleet/priority-levels.ts'
import { type Database, statement } from '../../../src/core/db/db.ts'

type PlacedMachine = {
  readonly key: string
  readonly id: string
  readonly priority_level: PriorityLevel
  readonly created_at: number
  readonly notice_at: number | null
  readonly now: number
}
type CapacityStep = { readonly key: string; readonly minute: number; readonly delta: number }

/** A capacity reduction within this many seconds gives notice. */
const noticeSeconds = 600

// Instances of a draining host end first; the tests of the placement cover that order.
const listMachines = statement<PlacedMachine>(
  'sim.list_machines',
  `select i.pool_id || '/' || i.sku_id as key, i.id, i.priority_level, i.created_at, i.notice_at, n.now
   from instances i cross join bourse_now() as n (now)
   where i.state in ('running', 'failed')
     and not exists (select from due d where d.kind = 'fleet.placement' and d.due_at <= n.now
       and d.key = i.pool_id || '/' || i.sku_id)
     and not exists (select from instances o join machines m on m.instance_id = o.id join hosts h on h.id = m.host_id
       where o.pool_id = i.pool_id and o.sku_id = i.sku_id and h.state <> 'active')`,
)
const listSteps = statement<CapacityStep>(
  'sim.list_steps',
  `select a.pool_id || '/' || a.sku_id as key, a.minute, a.delta from pool_allocation a
   where a.pool_id in (select pool_id from instances where state in ('running', 'failed')) order by a.minute`,
)

/** Pools and SKUs whose notices are wrong, one line each. */
export async function findWrongVictims({ reader }: Database): Promise<string[]> {
  const [machines, steps] = await Promise.all([reader.rows(listMachines), reader.rows(listSteps)])
  const violations: string[] = []
  for (const [key, group] of Map.groupBy(machines, (machine) => machine.key)) {
    const now = group[0]?.now as number
    const own = steps.filter((step) => step.key === key)
    const surplus = Math.max(0, group.length - leastOwned(own, { from: now, until: now + noticeSeconds }))
    const inOrder = group.toSorted(byVictimOrder)
    const expected = inOrder.slice(0, surplus).map(({ id }) => id)
    const noticed = inOrder.filter(({ notice_at }) => notice_at !== null).map(({ id }) => id)
    if (noticed.join() !== expected.join()) {
      violations.push(
        `capacity.victims: in ${key} ${JSON.stringify(noticed)} have notice, not ${JSON.stringify(expected)}`,
      )
    }
  }
  return violations
}

/** The least allocation at any moment of a closed range of seconds. */
function leastOwned(steps: readonly CapacityStep[], { from, until }: { from: number; until: number }): number {
  let owned = 0
  let least = Number.POSITIVE_INFINITY
  for (const { minute, delta } of steps) {
    if (minute * 60 > until) break
    if (minute * 60 > from) least = Math.min(least, owned)
    owned += delta
  }
  return Math.max(0, Math.min(least, owned))
}
