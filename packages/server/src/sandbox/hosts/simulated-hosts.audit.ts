import { type Audit, defineAudit, isLate } from '../../core/work/auditor.ts'

/** Invariants of simulated hosts. */
export const simulatedHostAudits: readonly Audit[] = [
  // A host that is not hidden has a due row in time for the next change of each of its machines.
  defineAudit(
    'life.due',
    `select m.instance_id, m.next_at, d.due_at
     from sandbox_machines m
     join sandbox_hosts h on h.host_id = m.host_id
     left join due d on d.kind = 'sandbox.host' and d.key = m.host_id
     where m.next_at is not null and h.hidden_at is null
       and (d.key is null or ${isLate('d', 'm.next_at')})`,
  ),
]
