/** What a SKU promises against what a host reports, fact by fact. Pure; the server compares the same. */
import { fitOf, needsOf } from '@bourse/api/fleet/fit.ts'
import type { FitFacts } from '@bourse/api/fleet/fit-slots.ts'
import type { Host, Sku } from '@bourse/sdk'

/** One fact. */
export type PromisedFact = {
  readonly fact: string
  /** What all slots need; undefined where the fact is about the host alone. */
  readonly promised: string | undefined
  readonly reported: string
  readonly is_kept: boolean
}

const names = {
  processors: 'Processors',
  memory: 'Memory',
  storage: 'Storage',
  iommu: 'IOMMU',
  accelerators: 'Accelerators',
  nvswitches: 'NVSwitches',
  rdma: 'RDMA',
  delivery: 'Devices for machines',
} as const

/** The facts that decide, in the order of the server. A SKU that names no hardware, or is simulated, has none. */
export function promisedFacts({ facts, slots }: Pick<Host, 'facts' | 'slots'>, sku: Sku): readonly PromisedFact[] {
  // The words of the SDK are open: a newer server may send one that this page does not know.
  return fitOf(facts as FitFacts, needsOf(sku), slots).checks.map(({ subject, is_good, message }) => {
    const [, promised, reported = message] = /^SKU asks for (.*?), (?:the host|host has|but) (.*)$/.exec(message) ?? []
    return { fact: names[subject], promised, reported, is_kept: is_good }
  })
}
