import { api, type Mutant, server } from './mutant.ts'

/** What machines and slots keep when their host loses hardware. */
export const lostHardwareMutants: readonly Mutant[] = [
  {
    wrong: 'A new kernel ends machines that run on the hosts of a changed SKU.',
    file: server('fleet/hardware/host-fit.service.ts'),
    text: '!isSame && hasLostHardware(host.facts, reported)',
    replacement: '!isSame',
    test: api('changed-skus'),
    caught_by: 'a machine runs on when the software of a host',
  },
  {
    wrong: 'A slot keeps a lost device until the next report of the hardware.',
    file: server('fleet/agents/reports.service.ts'),
    text: '  await divideSlots(ctx, divided)\n',
    replacement: '  if (divided.length > 99) return\n',
    test: api('host-fit'),
    caught_by: 'a slot that lost a device gets a spare one',
  },
  {
    wrong: 'A machine that lost its devices is shown with those of a free slot.',
    file: server('fleet/hardware/host-fit.store.ts'),
    text: 'case when $5::bigint is null or slot_hardware is null then $7 else slot_hardware end',
    replacement: '$7',
    test: api('host-fit'),
    caught_by: 'a machine whose devices are all gone is not shown with those of a free slot',
  },
]
