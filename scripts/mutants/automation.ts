import { api, type Mutant, server } from './mutant.ts'

/** Deployments, spot deployments and procurements. */
export const automationMutants: readonly Mutant[] = [
  {
    wrong: 'A changed deployment keeps the delay of an earlier refusal.',
    file: server('automation/deployments.service.ts'),
    text: '    failures: 0,\n    retry_at: null,\n',
    replacement: '',
    test: api('deployments'),
    caught_by: 'update_deployment and unfreeze_account retry a refused creation',
  },
  {
    wrong: 'A deployment does not continue after its account may write again.',
    file: server('automation/deployments.reconciler.ts'),
    text: '[accountFrozen, accountUnfrozen]',
    replacement: '[accountFrozen, ...(accountUnfrozen === accountFrozen ? [accountUnfrozen] : [])]',
    test: api('deployments'),
    caught_by: 'update_deployment and unfreeze_account retry a refused creation',
  },
  {
    wrong: 'A procurement buys nodes that another order of its pool already buys.',
    file: server('market/trading/coverage.rules.ts'),
    text: 'const short = subtract(subtract(target, there), other_buys)',
    replacement: 'const short = subtract(subtract(target, there), min(other_buys, empty))',
    test: server('market/trading/coverage.rules.test.ts'),
    caught_by: 'open buys of others count as bought',
  },
]
