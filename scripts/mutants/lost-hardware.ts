import { api, type Mutant, server } from './mutant.ts'

/** What machines and slots keep when their host loses hardware. */
export const lostHardwareMutants: readonly Mutant[] = [
  {
    wrong: 'A machine that lost its devices is shown with those of a free slot.',
    file: server('fleet/hardware/host-fit.store.ts'),
    text: 'case when $5::bigint is null or slot_hardware is null then $7 else slot_hardware end',
    replacement: '$7',
    test: api('host-fit'),
    caught_by: 'a machine whose devices are all gone is not shown with those of a free slot',
  },
]
