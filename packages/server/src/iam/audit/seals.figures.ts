import type { FigureGroup } from '../../core/work/figures.ts'

/** How far the seals of the audit trail are. */
export const auditSealFigures: FigureGroup = {
  families: [
    {
      name: 'bourse_audit_seal_number',
      type: 'gauge',
      help: 'The number of the newest seal of the audit trail. It falls only with another history.',
    },
    {
      name: 'bourse_audit_unsealed_seconds',
      type: 'gauge',
      help: 'Seconds since the newest seal, or the first entry, while entries wait for a seal; 0 if no entry waits.',
    },
  ],
  text: `select f.family, null as label, f.value
    from (
      select coalesce(max(number), 0) as number, coalesce(max(until), 0) as until,
        coalesce(max(sealed_at), (select min(occurred_at) from audit_entries), bourse_now()) as sealed_at
      from audit_seals
    ) s
    cross join lateral (
      values ('bourse_audit_seal_number', s.number),
        ('bourse_audit_unsealed_seconds', case when exists (
          select
          from audit_entries e
          where e.write_order >= s.until
        ) then bourse_now() - s.sealed_at else 0 end)
    ) as f(family, value)`,
}
