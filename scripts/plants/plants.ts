/**
 * Planted bugs: each breaks one rule that matters, and a named test has to find it. A rule whose breaking no test sees
 * is not guarded, whatever the coverage says.
 */

/** One edit of the source, and the test that fails for it. */
export type Plant = {
  /** What the program does wrong with it. */
  readonly wrong: string
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly replacement: string
  readonly test: string
  /** The test that fails, by the beginning of its title. */
  readonly caught_by: string
}

const server = (path: string) => `packages/server/${path}`

/** Found by tests of pure code, in a second or two each. */
export const quickPlants: readonly Plant[] = [
  {
    wrong: 'The fee of a fill is rounded up.',
    file: server('src/market/prices.rules.ts'),
    text: '(BigInt(terms.fee_bps) * value_micros) / 10_000n',
    replacement: '(BigInt(terms.fee_bps) * value_micros + 9_999n) / 10_000n',
    test: server('src/market/prices.rules.test.ts'),
    caught_by: 'the fee of a fill',
  },
  {
    wrong: 'What is released of a hold comes back twice.',
    file: server('src/billing/money.rules.ts'),
    text: "    { account_id: hold.account_id, book: 'credit', amount_micros },\n  ])",
    replacement: "    { account_id: hold.account_id, book: 'credit', amount_micros: 2n * amount_micros },\n  ])",
    test: server('src/billing/money.rules.test.ts'),
    caught_by: 'whatever is held, filled, released and posted',
  },
  {
    wrong: 'A fill is made at the limit of the younger order.',
    file: server('src/market/matching.rules.ts'),
    text: 'taker.seq < maker.seq ? taker : maker',
    replacement: 'taker.seq < maker.seq ? maker : taker',
    test: server('src/market/book.rules.test.ts'),
    caught_by: 'when a new order completes their shape',
  },
  {
    wrong: 'Of two resting orders at one price the younger goes first.',
    file: server('src/market/book-index.rules.ts'),
    text: 'a.rank === b.rank && a.seq < b.seq',
    replacement: 'a.rank === b.rank && a.seq > b.seq',
    test: server('src/market/book.rules.test.ts'),
    caught_by: 'resting all-or-nothing orders are tried again',
  },
  {
    wrong: 'What a caller may not see is refused instead of being absent.',
    file: server('src/iam/permissions.rules.ts'),
    text: "if (held === 0) return 'invisible'",
    replacement: "if (held === 0) return 'forbidden'",
    test: server('src/iam/permissions.rules.test.ts'),
    caught_by: '500,000 generated decisions',
  },
  {
    wrong: 'A right in one workspace holds in the whole account.',
    file: server('src/iam/permissions.rules.ts'),
    text: 'if (workspace_id === null) add(account, verbs)',
    replacement: 'if (workspace_id !== undefined) add(account, verbs)',
    test: server('src/iam/permissions.rules.test.ts'),
    caught_by: '500,000 generated decisions',
  },
  {
    wrong: 'A fleet gets one instance too many.',
    file: server('src/automation/deployments.rules.ts'),
    text: 'for (let slot = 0; slot < target; slot++)',
    replacement: 'for (let slot = 0; slot <= target; slot++)',
    test: server('src/automation/deployments.rules.test.ts'),
    caught_by: 'gets an instance in each free place',
  },
  {
    wrong: 'A report of an older generation is taken.',
    file: server('src/fleet/reports.rules.ts'),
    text: 'if (entry.generation < instance.generation) return undefined',
    replacement: '',
    test: server('src/fleet/reports.rules.test.ts'),
    caught_by: 'of an older generation is ignored',
  },
  {
    wrong: 'A machine is ended without the grace that follows its notice.',
    file: server('src/fleet/placement.rules.ts'),
    text: 'Math.max(at, (notice?.notice_at ?? now) + GRACE_SECONDS)',
    replacement: 'Math.max(at, notice?.notice_at ?? now)',
    test: server('src/fleet/placement.rules.test.ts'),
    caught_by: 'a drop that is known late leaves 60 seconds',
  },
  {
    wrong: 'The highest priority ends first.',
    file: 'packages/api/src/fleet/priority-levels.ts',
    text: 'return ranks[a.priority_level] - ranks[b.priority_level]',
    replacement: 'return ranks[b.priority_level] - ranks[a.priority_level]',
    test: server('src/fleet/placement.rules.test.ts'),
    caught_by: 'the lowest priority gets notice first',
  },
  {
    wrong: 'A cursor fits a list with another end.',
    file: server('src/core/event-cursor.ts'),
    text: 'part(since) + part(until)',
    replacement: 'part(since)',
    test: server('src/core/event-cursor.test.ts'),
    caught_by: 'a filter that is absent, empty, moved',
  },
  {
    wrong: 'A token that is also for another audience is taken.',
    file: server('src/core/jwt.ts'),
    text: 'claims.aud !== rules.audience',
    replacement: '![claims.aud].flat().includes(rules.audience)',
    test: server('src/core/jwt.test.ts'),
    caught_by: 'hostile token refused',
  },
]

/** Found by tests on a real database, in some ten seconds each. */
export const slowPlants: readonly Plant[] = [
  {
    wrong: 'Events are shown a second too short.',
    file: server('src/events/events.rules.ts'),
    text: 'return second >= now - retentionSeconds',
    replacement: 'return second > now - retentionSeconds',
    test: server('test/events/retention.test.ts'),
    caught_by: 'events and cursors end at the second',
  },
  {
    wrong: 'A firewall is relied on without a lock.',
    file: server('src/network/firewalls.store.ts'),
    text: 'and deleted_at is null order by id for key share',
    replacement: 'and deleted_at is null order by id',
    test: server('test/api/instance-races.test.ts'),
    caught_by: 'a firewall is deleted, or an instance comes under it',
  },
  {
    wrong: 'A commit whose answer was lost is taken for a failure.',
    file: server('src/core/transaction.ts'),
    text: "return outcome === 'committed'",
    replacement: 'return false',
    test: server('test/restart/unknown-commits.test.ts'),
    caught_by: 'a commit whose answer is lost is told right',
  },
  {
    wrong: 'What is held for minutes that passed stays held.',
    file: server('src/market/trading.rules.ts'),
    text: 'else if (lost.length > 0) releases.push',
    replacement: 'else if (lost.length > 1_000) releases.push',
    test: server('test/api/orders-in-time.test.ts'),
    caught_by: 'a minute that passes falls out of a partial order',
  },
  {
    wrong: 'A key that was used before is taken for a fresh one.',
    file: server('src/core/idempotency.ts'),
    text: 'return (await db.row(insertKey, params)) !== undefined',
    replacement: 'return (await db.row(insertKey, params)) !== null',
    test: server('test/api/instance-races.test.ts'),
    caught_by: 'a key makes one instance and one replacement',
  },
]
