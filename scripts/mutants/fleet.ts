import { level, type Mutant, server } from './mutant.ts'

/** Instances: victims, notices, grace, placement, slots, addresses, replacement, and what is left of the ended. */
export const fleetMutants: readonly Mutant[] = [
  {
    wrong: 'Several machines placed on a host at once use one slot in its count.',
    file: server('fleet/hosts/machines.store.ts'),
    text: 'used_slots = h.used_slots + n.claims,',
    replacement: 'used_slots = h.used_slots + 1,',
    test: level('fleet/placement'),
    caught_by: 'instances that start on one host at the same time',
  },
]
