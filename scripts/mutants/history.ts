import { level, type Mutant, server } from './mutant.ts'

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
    wrong: 'After a failover a host gets an epoch that a lost commit has given.',
    file: server('fleet/agents/agents.store.ts'),
    text: 'greatest(h.epoch, l.epochs_lost) + 1',
    replacement: 'h.epoch + 1 + 0 * l.epochs_lost',
    test: level('fleet/host-histories'),
    caught_by: 'in a new history a host that enrols again gets an epoch',
  },
]
