import { api, type Mutant, server } from './mutant.ts'

const driver = 'packages/agent/src/drivers/qemu'
const facts = 'packages/agent/src/facts'

/** Hosts and machines have the hardware that is sold. */
export const hardwareMutants: readonly Mutant[] = [
  {
    wrong: 'An override names another InfiniBand fabric than the one that hosts are wired to.',
    file: server('market/skus/skus.rules.ts'),
    text: ", 'infiniband_fabric'] as const\n\n/**\n * Refuses an override",
    replacement: '] as const\n\n/**\n * Refuses an override',
    test: api('host-fit'),
    caught_by: 'a machine gets the size that its account',
  },
  {
    wrong: 'Two machines that start at once get the same processors.',
    file: `${driver}/resources.ts`,
    text: '      const given = assignResources(rooms, others, wanted)',
    replacement: '      const given = assignResources(await readRooms(tree), others, wanted)',
    test: `${driver}/resources.test.ts`,
    caught_by: 'machines that start at once share no processor',
  },
  {
    wrong: 'Processors that the agent may not use are sold.',
    file: `${facts}/hardware.ts`,
    text: "parseProcessors(cpuinfo ?? '', allowed)",
    replacement: "parseProcessors(cpuinfo ?? '', allowed && undefined)",
    test: `${facts}/hardware.test.ts`,
    caught_by: 'processors that the agent may not use are no processors of the host',
  },
  {
    wrong: 'A host that lacks hardware is healthy again with its next report.',
    file: server('fleet/agents/reports.store.ts'),
    text: "case when h.unfit_at is null then s.health else 'faulted' end",
    replacement: 's.health',
    test: api('host-fit'),
    caught_by: 'a host that loses an accelerator takes no instances',
  },
  {
    wrong: 'A machine gets the size that the owner of its host sees.',
    file: server('fleet/agents/desired-state.service.ts'),
    text: 'findSkuFor(ctx, account_id, sku_id)',
    replacement: "findSkuFor(ctx, '', sku_id)",
    test: api('host-fit'),
    caught_by: 'a machine gets the size that its account was shown',
  },
]
