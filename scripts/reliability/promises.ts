/** What Bourse promises, and the tests and programs that try it: `npm run reliability` prints RELIABILITY.md of it. */
import { readFileSync } from 'node:fs'

/** One file of tests, or a script of package.json with its options. `size` says how much it tries. */
export type Evidence = { readonly size: string } & ({ readonly file: string } | { readonly script: string })

/** A promise in words of a user. The number is that by which the results of runs name it. */
export type ReliabilityPromise = {
  readonly id: string
  readonly promise: string
  /** How it is tested, in one sentence or two. */
  readonly method: string
  readonly evidence: readonly Evidence[]
  /** What is promised and not tested here, or tested less than it could be. */
  readonly gap?: string
}

/** Promises of one kind. */
export type PromiseGroup = { readonly title: string; readonly promises: readonly ReliabilityPromise[] }

const server = (file: string) => `packages/server/test/${file}.test.ts`
const source = (file: string) => `packages/server/src/${file}.test.ts`

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}

/** Evidence by a script, where the repository has that script. */
function byScript(script: string, size: string): Evidence[] {
  const [name = ''] = script.split(' ')
  return name in scripts ? [{ script, size }] : []
}

/** All promises, by kind. */
export const promiseGroups: readonly PromiseGroup[] = [
  {
    title: 'Nothing acknowledged is lost',
    promises: [
      {
        id: 'G3',
        promise: 'A process that dies loses no acknowledged write, and no write takes effect twice.',
        method:
          'Clients write while the server, PostgreSQL or one of its processes is killed. Each ' +
          'acknowledged write is read back. With `synchronous_commit = off` the same test has to find ' +
          'lost writes.',
        evidence: [
          { file: server('restart/one-kill'), size: '2 kills' },
          { file: server('restart/kills'), size: '20 kills' },
          { file: server('restart/trading-processes'), size: '3 processes on one book, each killed once' },
          { script: 'kill -- --rounds 200', size: '200 kills' },
        ],
      },
      {
        id: 'G7',
        promise: 'A request without a response can be repeated with its idempotency key: it has one effect.',
        method: 'A proxy cuts connections to PostgreSQL before and after COMMIT; the call is repeated.',
        evidence: [
          { file: server('restart/unknown-commits'), size: '500 cuts' },
          { file: server('quiet/slow-standby'), size: 'a commit that waits for a standby' },
        ],
      },
      {
        id: 'G6',
        promise: 'Many requests with one idempotency key make one thing.',
        method: '32 callers with one key, and one key with each field of the body changed in turn.',
        evidence: [
          { file: server('api/instance-races'), size: '200 keys × 32 callers, 24 keys in `npm test`' },
          { file: server('market/races'), size: '32 retries of one order' },
        ],
      },
      {
        id: 'G37',
        promise: 'After a failover the program does not go on with what it remembers of lost commits.',
        method:
          'A primary is killed and a standby promoted, with commits lost on purpose. Caches, cursors ' +
          'and generations of hosts are compared with the database. A replaced primary that comes ' +
          'back is not used.',
        evidence: [
          { file: server('restart/one-failover'), size: '1 failover' },
          { file: server('restart/failovers'), size: '20 failovers and a copy of an older directory' },
          { file: server('restart/replaced-primary'), size: 'an old primary, with and without its successor' },
          { file: server('chaos/rounds'), size: '15 kinds of faults, once each' },
          ...byScript('chaos -- --night', 'one seed after the other for an hour: docs/benchmarks/failover.md'),
        ],
      },
      {
        id: 'G5',
        promise: 'The program refuses a PostgreSQL whose settings could lose acknowledged writes.',
        method: 'Each setting is made unsafe: for the server, the database and the role.',
        evidence: [{ file: source('core/db/database-settings'), size: 'every setting' }],
      },
      {
        id: 'G17',
        promise: 'A full disk is survived: requests are refused, nothing is lost, and the server is ready afterwards.',
        method: 'PostgreSQL runs on a file system of 96 MB that is filled.',
        evidence: [
          { file: server('chaos/rounds'), size: 'three replicas under load, among other faults' },
          { file: server('restart/full-disk'), size: '1 full disk' },
          { file: server('restart/failure-causes'), size: '2 causes of refused writes' },
        ],
        gap: 'Single failing write or sync calls are not injected.',
      },
      {
        id: 'G4',
        promise: 'A power cut loses no acknowledged write.',
        method: 'PostgreSQL and its settings (G5) stand for this.',
        evidence: [],
        gap: 'No test cuts the power or replays only synced writes.',
      },
    ],
  },
  {
    title: 'Money and capacity add up',
    promises: [
      {
        id: 'G1',
        promise: 'Under random load and faults every invariant of money, capacity, market, instances and events holds.',
        method:
          'The whole system with three replicas, simulated hosts and one virtual clock runs random ' +
          'operations. Replicas are killed, paused and cut off. All audits run, and each seed can be ' +
          'repeated exactly.',
        evidence: [
          { file: server('sim/few-seeds'), size: '1 seed, run twice' },
          { file: server('sim/whole-system'), size: '16 seeds × 130 steps, six of them twice' },
          { script: 'sim -- --seeds 60 --from 1000000', size: '60 seeds × 180 steps' },
        ],
      },
      {
        id: 'G2',
        promise: 'When faults end, the system comes to rest in the wanted state.',
        method: 'The second phase of each seed of the simulation: faults end, the clock goes on, nothing may be stuck.',
        evidence: [{ file: server('sim/whole-system'), size: 'each of its seeds' }],
      },
      {
        id: 'G24',
        promise: 'Orders are filled by price and time, at the right amounts.',
        method: 'The order book and a plain one that walks a list get the same random commands.',
        evidence: [{ file: source('market/book/book-reference'), size: '500,000 commands, 50,000 in `npm test`' }],
      },
      {
        id: 'G25',
        promise: 'No node is sold twice.',
        method:
          '64 buyers want the last nodes, with windows that touch, nest or last a minute; three ' +
          'servers trade on one book.',
        evidence: [{ file: server('market/races'), size: '200 rounds, 20 in `npm test`' }],
      },
      {
        id: 'G26',
        promise: 'A name, a place and an end have one winner.',
        method: 'Simultaneous creations with one name; replace, terminate, rename and delete of one instance at once.',
        evidence: [
          { file: server('api/instance-races'), size: '200 names, 200 instances; a tenth in `npm test`' },
          { file: server('market/alias-races'), size: 'aliases of SKUs' },
        ],
      },
      {
        id: 'G27',
        promise: 'Nothing that is in use disappears under what uses it.',
        method:
          'Deletions of firewalls and revocations of images race with creations and replacements that refer to them.',
        evidence: [{ file: server('api/instance-races'), size: '100 pairs, 10 in `npm test`' }],
      },
      {
        id: 'G40',
        promise: 'In production a system audits itself each hour, and names what is wrong.',
        method: 'Tests write corruptions by SQL: the audit of each finds it, and nothing after its repair.',
        evidence: [
          { file: server('market/audits'), size: 'market and money' },
          { file: server('fleet/audits'), size: 'hosts and capacity' },
          { file: server('events/audits'), size: 'events' },
          { file: server('events/self-audit'), size: 'the hourly run, its metric, log line and event' },
        ],
        gap: 'Audits without such a test: those of webhooks, `events.replace`, `life.purchase`, `money.revenue`.',
      },
    ],
  },
  {
    title: 'Events are complete and in order',
    promises: [
      {
        id: 'G8',
        promise: 'Readers of the event log miss, repeat and reorder nothing.',
        method:
          '16 writers and several readers on three replicas; seven validators compare each history ' +
          'with the log. Two wrong ways of numbering have to be found by them.',
        evidence: [
          { file: server('events/streams'), size: '20,000 events, 2,000 in `npm test`' },
          { file: server('events/stream-checker'), size: '2 wrong numberings' },
          { file: server('restart/event-delivery'), size: '3 killed processes' },
        ],
      },
      {
        id: 'G9',
        promise: 'Every cursor is a good place to resume, with every filter.',
        method: 'Each cursor of 64 sets of filters is compared with a plain filter of the whole log.',
        evidence: [{ file: server('events/filters'), size: '64 × 300 events, 202 in `npm test`' }],
      },
      {
        id: 'G10',
        promise: 'Events are kept for seven days, to the second.',
        method: 'The clock is moved to a second before and after, on three replicas, with and without a purge.',
        evidence: [{ file: server('events/retention'), size: 'all replicas and filters' }],
      },
      {
        id: 'G11',
        promise: 'Webhooks miss no event when servers or receivers fail; `per_target` keeps the order of each target.',
        method: 'Replicas are killed and frozen while receivers fail; attempts are compared with the log.',
        evidence: [
          { file: server('restart/webhook-replicas'), size: 'killed and frozen replicas' },
          { file: server('webhooks/retries'), size: 'each reason and time of a retry' },
        ],
        gap:
          'After eight failed attempts in 28 hours a delivery is given up. How fresh events are is measured ' +
          '(docs/benchmarks/push.md) and not asserted.',
      },
      {
        id: 'G12',
        promise: 'A cursor fits only its own list, filters and account.',
        method: 'Each bit of a cursor is inverted; cursors are mangled and sent to other lists.',
        evidence: [
          { file: server('events/cursors'), size: 'every bit' },
          { file: server('contract/cursors'), size: '2,000 mangled cursors, 200 in `npm test`' },
        ],
      },
    ],
  },
  {
    title: 'It goes on under faults',
    promises: [
      {
        id: 'G16',
        promise:
          'Without its database the server answers 503 in time, claims nothing false, and goes on when it is back.',
        method: 'The database refuses, resets, is silent, has no connections left, is read-only or restarts.',
        evidence: [
          { file: server('quiet/outages'), size: '6 kinds × 3 s; 503 within 4 s, first success within 5 s' },
          { file: server('quiet/liveness'), size: 'a machine that no longer responds' },
          { file: server('quiet/recovery'), size: 'ready within 10 s after a kill' },
        ],
      },
      {
        id: 'G35',
        promise: 'Old and new replicas run beside each other, and an upgrade fails no request.',
        method:
          'The program before the newest migration, and one with a migration more than this one, serve one database ' +
          'under load, while that migration runs.',
        evidence: [
          { file: server('restart/rolling-upgrade'), size: 'one pair of programs' },
          { file: server('restart/newer-schemas'), size: 'a schema that is newer than the program' },
        ],
        gap: 'Nothing has been released, so pairs are those of commits.',
      },
      {
        id: 'G18',
        promise: 'Clocks may jump.',
        method: 'Dates are set back and forward over ends of months, years, leap days and changes of zones.',
        evidence: [
          { file: 'test/dates/clocks-back.test.ts', size: 'files that name the calendar' },
          { file: 'test/dates/clocks-forward.test.ts', size: 'files that name the calendar' },
          { file: 'test/dates/leap-day.test.ts', size: 'files that name the calendar' },
        ],
      },
      {
        id: 'G19',
        promise: 'Nothing that is due in years happens early.',
        method: 'Deadlines from a second to years ahead; raw timers are refused in the source.',
        evidence: [{ file: source('core/work/due'), size: 'rows that are due' }],
      },
      {
        id: 'G20',
        promise: 'A deployment never runs more instances than it should, whatever it misses.',
        method: 'The plan is tried against stale views, crashes and lost wake-ups.',
        evidence: [
          { file: source('automation/deployment-schedules'), size: '200,000 schedules, a tenth in `npm test`' },
        ],
      },
      {
        id: 'G21',
        promise: 'A replica or an agent that was paused cannot write over what happened since.',
        method: 'A paused writer wakes after its lease, epoch or generation has passed.',
        evidence: [
          { file: server('quiet/frozen-replicas'), size: 'a frozen write' },
          { file: server('webhooks/epochs'), size: 'workers of webhooks' },
          { file: server('fleet/report-batches'), size: 'reports of hosts' },
        ],
      },
      {
        id: 'G22',
        promise: 'A fleet that comes back at once is absorbed, and no instance is ended by mistake.',
        method: 'The test plays the agents of 500 hosts, which return after five minutes of silence.',
        evidence: [{ file: server('quiet/mass-return'), size: '500 hosts, within three minutes' }],
      },
      {
        id: 'G23',
        promise: 'Work of several steps ends or is undone.',
        method: 'Each step of start, replacement, end and transfer crashes before and after its commit.',
        evidence: [
          { file: server('fleet/crashed-steps'), size: 'every step' },
          { file: server('fleet/lossy-agents'), size: 'lost, late, repeated and unordered reports' },
        ],
      },
      {
        id: 'G39',
        promise: 'Memory of a server does not grow with time.',
        method:
          'Two replicas, one of them with 50 requests a second; it fails where resident memory grows by 1 MB a minute.',
        evidence: [
          { file: 'test/soak/short.test.ts', size: 'half a minute, to see that the figures come out' },
          { script: 'deep -- soak', size: 'an hour' },
        ],
        gap: 'Not run for days. Figures of an hour: docs/benchmarks/memory.md.',
      },
      {
        id: 'G36',
        promise: 'A backup restores to a moment: nothing before it is missing, and old cursors are refused.',
        method:
          'Under load the data directory is removed and restored from a copy and the archived log. The ledger is ' +
          'compared row by row; cursors and tokens of the lost future are refused. Copies and archives are damaged, ' +
          'and the programs killed in between.',
        evidence: [
          { file: server('restart/backups'), size: 'a moment and the end of the archive' },
          { file: server('restart/backup-problems'), size: 'damage, misuse, a full disk, a bucket' },
          { file: server('restart/backup-kills'), size: 'killed creations and restores' },
          { file: server('restart/failovers'), size: '1 older copy under running servers' },
        ],
      },
    ],
  },
  {
    title: 'Input and load of others do no harm',
    promises: [
      {
        id: 'G13',
        promise: 'No request is answered by a crash, and every answer fits the contract.',
        method: 'Random requests, valid and with one rule broken, in sequences that reuse ids.',
        evidence: [{ file: server('contract/fuzzer'), size: '20,000 requests, 2,000 in `npm test`' }],
      },
      {
        id: 'G14',
        promise: 'Hostile HTTP is contained.',
        method: 'Raw bytes on a socket: framing, lengths, escapes, depth, numbers, methods.',
        evidence: [
          { file: server('contract/raw-bytes'), size: 'the list of the file' },
          { file: server('contract/worst-bodies'), size: 'the largest and deepest body of each operation' },
        ],
      },
      {
        id: 'G15',
        promise: 'Greedy and slow clients harm nobody else.',
        method: 'One account sends as much as it may, slowly or at once, beside others.',
        evidence: [
          { file: server('contract/fair-turns'), size: 'turns at the database' },
          { file: server('restart/slow-reads'), size: 'slow reads of one account' },
          { file: server('contract/idle-connections'), size: 'idle connections' },
        ],
        gap: 'What quiet accounts notice is measured (docs/benchmarks/neighbours.md) and not asserted.',
      },
      {
        id: 'G32',
        promise: 'Rate limits hold and tell the truth.',
        method: 'A client that obeys Retry-After is not refused again; the limit of an account does not touch others.',
        evidence: [{ file: server('contract/rate-limits'), size: 'each class of limits' }],
      },
      {
        id: 'G34',
        promise: 'Every documented parameter does what it says.',
        method: 'Each parameter is used on data where it has to change the answer.',
        evidence: [{ file: server('contract/parameters'), size: 'every parameter of the contract' }],
      },
    ],
  },
  {
    title: 'Access',
    promises: [
      {
        id: 'G28',
        promise: 'Every operation asks for its right, and what is hidden looks like what does not exist.',
        method: 'Each operation is called by nine callers, with answers that a plain model foretells.',
        evidence: [
          { file: server('contract/access-matrix'), size: 'every operation × 9 callers' },
          { file: server('contract/hidden-work'), size: 'the work for a foreign resource and for none' },
        ],
      },
      {
        id: 'G29',
        promise: 'The decision on a right is the one that roles, grants and workspaces say.',
        method: 'Generated roles, grants and workspaces against a plain model.',
        evidence: [{ file: source('iam/access/permissions.rules'), size: '500,000 decisions' }],
      },
      {
        id: 'G30',
        promise: 'Forged, changed, expired and misplaced tokens are refused.',
        method: 'A list of hostile tokens over HTTP, each with the same response.',
        evidence: [{ file: server('contract/tokens'), size: 'the whole list' }],
      },
      {
        id: 'G31',
        promise: 'A token or grant that was deleted is refused by all replicas within two seconds.',
        method: 'Deleted through one replica and used through both, under load.',
        evidence: [{ file: server('quiet/access-ends'), size: 'two replicas, three rounds' }],
      },
      {
        id: 'G33',
        promise: 'Secrets appear only where they are meant to.',
        method: 'Marked secrets are sent everywhere; logs, events, errors and every table are searched for them.',
        evidence: [{ file: server('contract/secrets'), size: 'every operation' }],
      },
    ],
  },
  {
    title: 'The tests find faults',
    promises: [
      {
        id: 'G38',
        promise: 'A fault in a rule of this page makes a test fail.',
        method: 'Small faults are put in one at a time; the named test has to find each.',
        evidence: [
          { file: 'scripts/mutants/applies.test.ts', size: 'each fault can still be put in' },
          { script: 'mutants -- written', size: 'all faults by hand: 129 on 2026-11-29' },
        ],
        gap:
          'Scores of the faults that StrykerJS makes: docs/internals/tests.md. Areas without a score ' +
          'there are not measured.',
      },
    ],
  },
]
