import type { FigureGroup } from '../../core/work/figures.ts'

/** What the last hourly run of any replica found. The figures that it read have their families in their own areas. */
export const selfAuditFigures: readonly FigureGroup[] = [
  {
    families: [
      {
        name: 'bourse_audit_last_run_timestamp_seconds',
        type: 'gauge',
        help: 'When the last hourly run of all audits ended, on any replica; 0 before the first.',
      },
      {
        name: 'bourse_audit_violations',
        type: 'gauge',
        help: 'Rows that violate an invariant, at most 20 of an audit, as the last hourly run found them.',
        label: 'audit',
      },
    ],
    text: `select 'bourse_audit_last_run_timestamp_seconds' as family, null as label, coalesce(ended_at, 0) as value
      from self_audit
      union all
      select 'bourse_audit_violations', v.name, v.rows
      from self_audit s
      cross join lateral jsonb_to_recordset(s.violations) as v(name text, rows bigint)
      union all
      select f.family, f.label, f.value
      from self_audit s
      cross join lateral jsonb_to_recordset(s.figures) as f(family text, label text, value double precision)`,
  },
]
