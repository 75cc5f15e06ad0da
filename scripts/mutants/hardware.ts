import { api, type Mutant, server } from './mutant.ts'

const fit = 'packages/api/src/fleet/fit.ts'
const fitTest = 'packages/api/src/fleet/fit.test.ts'
const commandLine = 'packages/agent/src/drivers/qemu/command-line.rules.ts'
const facts = 'packages/agent/src/facts'

/** Hosts and machines have the hardware that is sold. */
export const hardwareMutants: readonly Mutant[] = [
  {
    wrong: 'The needs of a SKU are not multiplied by the slots.',
    file: fit,
    text: 'is_good: fitting >= slots',
    replacement: 'is_good: fitting >= 1',
    test: fitTest,
    caught_by: 'needs are multiplied by the slots',
    in_commit: true,
  },
  {
    wrong: 'The accelerators of a slot may lie on any NUMA nodes.',
    file: fit,
    text: 'numa_node ?? -1)]',
    replacement: 'numa_node && -1)]',
    test: fitTest,
    caught_by: 'a machine gets its accelerators from one NUMA node',
    in_commit: true,
  },
  {
    wrong: 'The host keeps no memory for itself.',
    file: fit,
    text: 'facts.memory_bytes - hostReserveBytes',
    replacement: 'facts.memory_bytes',
    test: fitTest,
    caught_by: 'the host keeps 2 GiB of its memory',
  },
  {
    wrong: 'An accelerator counts although its IOMMU group holds another one.',
    file: fit,
    text: 'if (slots === 1) return devices',
    replacement: 'if (slots > 0) return devices',
    test: fitTest,
    caught_by: 'without an IOMMU, or an own IOMMU group',
  },
  {
    wrong: 'A machine gets fewer processors than its SKU promises.',
    file: commandLine,
    text: 'return cpu_count ?? 1',
    replacement: 'return Math.min(cpu_count ?? 1, 2)',
    test: 'packages/agent/src/drivers/qemu/command-line.rules.test.ts',
    caught_by: 'a machine has the whole size of its SKU',
    in_commit: true,
  },
  {
    wrong: 'A machine starts without the accelerators that it must have.',
    file: commandLine,
    text: '(size.accelerators ?? 0) > 0',
    replacement: '(size.accelerators ?? 0) < 0',
    test: 'packages/agent/src/drivers/qemu/command-line.rules.test.ts',
    caught_by: 'a machine that does not fit its host, or needs devices, is refused',
  },
  {
    wrong: 'A device in two IOMMU groups is given the first of them.',
    file: `${facts}/devices.rules.ts`,
    text: 'iommu_group: own.length === 1 ?',
    replacement: 'iommu_group: own.length >= 1 ?',
    test: `${facts}/hardware.test.ts`,
    caught_by: 'one in two IOMMU groups',
  },
  {
    wrong: 'An idle link counts as other hardware.',
    file: 'packages/api/src/fleet/hardware.ts',
    text: '{ ...device, pcie_generation: null, pcie_lanes: null }',
    replacement: '{ ...device, pcie_lanes: null }',
    test: `${facts}/hardware.test.ts`,
    caught_by: 'a link that slows down while idle',
  },
  {
    wrong: 'A host is enrolled without the hardware of its SKU.',
    file: server('fleet/agents/agents.service.ts'),
    text: '  throwIfRefused(refuseMisfit(fit))\n',
    replacement: '',
    test: api('host-fit'),
    caught_by: 'a host without the hardware of its SKU is refused',
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
    wrong: 'The free nodes of a host that lacks hardware stay in their pool.',
    file: server('fleet/hardware/host-fit.service.ts'),
    text: '  if (becomesUnfit) await withdrawSupply(ctx, host)\n',
    replacement: '',
    test: api('host-fit'),
    caught_by: 'a host that loses an accelerator takes no instances',
  },
  {
    wrong: 'A drain takes what a host that lacks hardware has already lost.',
    file: server('fleet/hosts/hosts.rules.ts'),
    text: 'Math.min(own.node_count, Math.max(0, other.node_count))',
    replacement: 'Math.max(0, other.node_count)',
    test: server('fleet/hosts/hosts.rules.test.ts'),
    caught_by: 'a drain takes no more than the host supplies',
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
