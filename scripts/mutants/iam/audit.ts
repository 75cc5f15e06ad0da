import { level, type Mutant, server } from '../mutant.ts'

/** Who did what, and the proof that nobody has changed the record of it. */
export const auditMutants: readonly Mutant[] = [
  {
    wrong: 'An entry with half of a pair of surrogates is lost.',
    file: server('core/audit/targets.ts'),
    text: '.toWellFormed()',
    replacement: '',
    test: server('core/audit/targets.test.ts'),
    caught_by: 'what is cut leaves no half of a pair of surrogates',
    in_commit: true,
  },
  {
    wrong: 'A seal ends at the newest transaction, and skips entries of older ones that commit later.',
    file: server('iam/audit/seals.store.ts'),
    text: '+ pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text as until`,',
    replacement: '+ pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text as until`,',
    test: level('contract/audit-seals'),
    caught_by: 'an entry whose transaction commits late comes under the next seal',
  },
  {
    wrong: 'Entries before all seals are not found.',
    file: server('iam/audit/seals.store.ts'),
    text: 'where write_order >= $1 or write_order < 0',
    replacement: 'where write_order >= $1',
    test: level('contract/audit-seals'),
    caught_by: 'an entry that was changed, removed or put in is found',
  },
]
