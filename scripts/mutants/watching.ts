import { level, type Mutant, server } from './mutant.ts'

/** What operators watch: metrics, readiness and audits. */
export const watchingMutants: readonly Mutant[] = [
  {
    wrong: 'Each scrape reads the figures of the database again.',
    file: server('metrics.service.ts'),
    text: 'const figuresMilliseconds = 15_000',
    replacement: 'const figuresMilliseconds = 0',
    test: level('fleet/metrics'),
    caught_by: 'scrapes of fifteen seconds share one statement',
  },
  {
    wrong: 'A scrape fails while the database is away.',
    file: server('metrics.service.ts'),
    text: '    return { figures: undefined, seconds: seconds() }\n  }',
    replacement: '    throw error\n  }',
    test: level('fleet/metrics'),
    caught_by: 'without the database the page has what the process knows',
  },
  {
    wrong: 'A scrape names every SKU.',
    file: server('core/work/figures.ts'),
    text: 'export const namedSkusMax = 20',
    replacement: 'export const namedSkusMax = 2000',
    test: level('fleet/metrics'),
    caught_by: 'capacity is counted by SKU, twenty of them by name',
  },
  {
    wrong: 'A scrape reads every host that was ever retired.',
    file: server('fleet/placement/fleet.figures.ts'),
    text: "        where state <> 'retired'\n        group by state, health",
    replacement: '        group by state, health',
    test: level('fleet/metrics'),
    caught_by: 'a scrape reads no more rows when accounts, trades, events and retired hosts are many',
  },
  {
    wrong: 'The hourly run forgets the sums of money.',
    file: server('events/audits/self-audit.store.ts'),
    text: 'figures = $5::jsonb',
    replacement: "figures = coalesce($5::jsonb, '[]') - 0 - 0 - 0 - 0",
    test: level('events/self-audit'),
    caught_by: 'the hourly run reads the sums of money, and the page shows them',
  },
  {
    wrong: 'The hours of the price history are compared with nothing but themselves.',
    file: server('market/orders/price-buckets.audit.ts'),
    text: 'bucketsMatch(3_600, ofBuckets(60))',
    replacement: 'bucketsMatch(3_600, ofBuckets(3_600))',
    test: level('market/price-history'),
    caught_by: 'the audit finds a wrong value that a bucket shares with the longer ones around it',
  },
  {
    wrong: 'Reads sort all rows of an account instead of following an index.',
    file: server('core/db/db.ts'),
    text: "  enable_bitmapscan: 'off',\n  enable_seqscan: 'off',\n} as const",
    replacement: '} as const',
    test: level('fleet/list-costs'),
    caught_by: 'GET /v2/instances?pool=…&image=… reads rows for its page, not for its table',
  },
  {
    wrong: 'Reports of hosts have no rate limit.',
    file: server('core/http/pipeline.ts'),
    text: 'context.rate = edge.rate_limits.takeReport(agent.host_id)',
    replacement: 'return undefined',
    test: level('contract/rate-limits'),
    caught_by: 'reports of a host have a bucket of their own',
  },
]
