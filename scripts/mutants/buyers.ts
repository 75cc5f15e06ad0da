import { api, type Mutant, server } from './mutant.ts'

/** What buyers learn about the hosts of their instances, and rely on. */
export const buyerMutants: readonly Mutant[] = [
  {
    wrong: 'A SKU shows measurements of any age.',
    file: server('fleet/hardware/host-benchmarks.store.ts'),
    text: "'measured_at')::bigint >= $2",
    replacement: "'measured_at')::bigint >= $2 - $2",
    test: api('attestations'),
    caught_by: 'report_benchmark: the host shows the figures',
  },
  {
    wrong: 'A SKU that partners may supply does not fit the requirement of it.',
    file: server('market/skus/sku-requirements.rules.ts'),
    text: 'isFlag(field)) return candidate[field]',
    replacement: 'isFlag(field)) return candidate[field] || undefined',
    test: server('market/skus/sku-requirements.rules.test.ts'),
    caught_by: 'a flag that is not set is false, unlike a property',
  },
]
