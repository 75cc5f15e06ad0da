import { api, level, type Mutant, server } from './mutant.ts'

const failovers = level('restart/failovers')
const afterLoss = 'after failovers that lose commits nothing that was remembered contradicts the database'

/** Nothing remembered outlives the history of the database that it was read from. */
export const historyMutants: readonly Mutant[] = [
  {
    wrong: 'Order books stay cached across a failover, and only a lower version than theirs is newer.',
    file: server('services.ts'),
    text: 'database.history.remember(createBookCache)',
    replacement: '{ current: createBookCache() }',
    test: failovers,
    caught_by: afterLoss,
  },
  {
    wrong: 'The cached events of an account outlive a failover.',
    file: server('services.ts'),
    text: 'rememberAccountLogs(database.history)',
    replacement: '{ current: { generation: undefined } }',
    test: failovers,
    caught_by: afterLoss,
  },
  {
    wrong: 'The generations of hosts are not raised after a failover.',
    file: server('fleet/hosts/machines.service.ts'),
    text: 'raiseAllGenerations(db, generationsOfHistory)',
    replacement: 'raiseAllGenerations(db, 0)',
    test: level('fleet/host-histories'),
    caught_by: 'in a new history hosts and machines get generations',
  },
  {
    wrong: 'After a failover a host gets an epoch that a lost commit has given.',
    file: server('fleet/agents/agents.store.ts'),
    text: 'greatest(h.epoch, l.epochs_lost) + 1',
    replacement: 'h.epoch + 1 + 0 * l.epochs_lost',
    test: level('fleet/host-histories'),
    caught_by: 'in a new history a host that enrols again gets an epoch',
  },
  {
    wrong: 'A log that ends earlier after a restart of the database counts as a plain restart.',
    file: server('core/db/history.ts'),
    text: 'found.flushed < known.flushed || found.number < known.number',
    replacement: 'found.number < known.number',
    test: server('core/db/history.test.ts'),
    caught_by: 'a server is compared by cluster, timeline, start and log',
    in_commit: true,
  },
  {
    wrong: 'A replaced primary is used.',
    file: server('core/db/history.ts'),
    text: "  if (comparison === 'older') throw replacedServer(state, found)\n",
    replacement: '',
    test: server('core/db/history.test.ts'),
    caught_by: 'the connection to a replaced primary is refused',
  },
  {
    wrong: 'A cursor ahead of the log waits for the log to pass it.',
    file: server('events/serving/event-scopes.service.ts'),
    text: 'place.position <= place.counter && ',
    replacement: '',
    test: level('events/lost-commits'),
    caught_by: 'a cursor ahead of the log proves a loss',
  },
  {
    wrong: 'A cursor of a lost event goes on at its position in the new history.',
    file: server('events/serving/event-scopes.service.ts'),
    text: 'Math.min(common ?? counter, counter)',
    replacement: 'counter',
    test: level('events/lost-commits'),
    caught_by: 'a cursor ahead of the log proves a loss',
  },
  {
    wrong: 'An agent that is ahead of the database is left waiting.',
    file: server('fleet/agents/desired-state.service.ts'),
    text: 'current !== undefined && generation > current',
    replacement: 'false',
    test: api('agent-protocol'),
    caught_by: 'an agent that knows more than the database gets newer generations of its host and of its machines',
  },
]
