import { api, level, type Mutant, server } from './mutant.ts'

/** Idempotency keys, transactions, lists, rates, what is due, and the clock of the sandbox. */
export const coreMutants: readonly Mutant[] = [
  {
    wrong: 'A list cursor is accepted for the same list of another account.',
    file: server('core/keys/list-cursor.ts'),
    text: 'JSON.stringify([prefix, list, account_id])',
    replacement: 'JSON.stringify([prefix, list, typeof account_id])',
    test: server('core/keys/list-cursor.test.ts'),
    caught_by: 'a cursor is invalid for any other list, account, prefix or filter',
  },
  {
    wrong: 'A later schedule postpones an earlier due time.',
    file: server('core/work/due.ts'),
    text: 'due_at = least(due.due_at, excluded.due_at)',
    replacement: 'due_at = excluded.due_at',
    test: server('core/work/due.test.ts'),
    caught_by: 'the earlier of two schedules of a key holds',
  },
  {
    wrong: 'A wake-up during a step is lost when the step ends.',
    file: server('core/work/due.ts'),
    text: 'where kind = $1 and key = $2 and wakes = $3',
    replacement: 'where kind = $1 and key = $2 and wakes >= $3',
    test: server('core/work/due.test.ts'),
    caught_by: 'a wake-up during a step is kept',
  },
  {
    wrong: 'A resumed clock jumps over the time in which it was frozen.',
    file: server('sandbox/world/clock.store.ts'),
    text: 'set business_anchor_ms = bourse_now_ms(), real_anchor = bourse_real_now(),\n',
    replacement: 'set business_anchor_ms = bourse_now_ms(),\n',
    test: api('sandbox-clock'),
    caught_by: 'freeze_clock stops the clock, and resume_clock continues from the same time',
  },
  {
    wrong: 'Every replica runs the hourly audits at the same time.',
    file: server('events/audits/self-audit.store.ts'),
    text: 'where leased_until <=',
    replacement: 'where 0 * leased_until <=',
    test: level('events/self-audit'),
    caught_by: 'the audits run once an hour, on one replica at a time',
  },
  {
    wrong: 'A paused process keeps its locks for as long as it is paused.',
    file: server('core/db/db.ts'),
    text: 'const idleMilliseconds = 1_000',
    replacement: 'const idleMilliseconds = 10_000',
    test: server('core/db/db.test.ts'),
    caught_by: 'the locks of a paused process are released before others stop waiting for them',
  },
  {
    wrong: 'A write that waits for a standby has no response until its connection counts as lost.',
    file: server('core/work/transaction.ts'),
    text: 'withinLimit(all, outcomeMilliseconds)',
    replacement: 'withinLimit(all, 600_000)',
    test: level('quiet/slow-standby'),
    caught_by: 'a write that waits for a standby is answered as unknown',
  },
  {
    wrong: 'A server whose writes all fail reports that it is ready.',
    file: server('process.service.ts'),
    text: 'const unwritten = probe?.problem()',
    replacement: 'const unwritten = undefined',
    test: level('restart/failure-causes'),
    caught_by: 'while the disk of the database is full, writes say so',
  },
]
