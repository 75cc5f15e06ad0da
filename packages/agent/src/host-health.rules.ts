/** What a host says of its health. */
import type { Fitness } from './drivers/driver.ts'

/** The health of a host, as its reports have it. */
export type HostHealth = { readonly health: 'healthy' | 'faulted'; readonly message?: string }

/** What else a report tells about a host. */
type HealthNotes = {
  /** What is wrong with its devices; undefined: nothing. */
  readonly devices: string | undefined
  /** Why its tunnel does not work. */
  readonly tunnel: string | undefined
  /** Why the last machine could not join its InfiniBand partition. */
  readonly partition: string | undefined
  readonly left_out: readonly string[]
}

const messageMax = 1024

/** The health by the checks of the driver. */
export function healthOfDriver({ is_fit, findings }: Fitness): HostHealth {
  if (is_fit) return { health: 'healthy' }
  const bad = findings.filter(({ is_good, is_optional }) => !is_good && !is_optional)
  const message = bad.map(({ subject, message: what }) => `${subject}: ${what}`).join('; ')
  return { health: 'faulted', message: message.slice(0, messageMax) }
}

/** What is wrong with devices, and which of them no machine gets; undefined: nothing. */
export function deviceMessage(
  problems: readonly string[],
  withheld: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  const others = [...withheld].filter(([pci]) => !problems.some((one) => one.startsWith(pci)))
  const all = [...problems, ...others.map(([pci, reason]) => `${pci}: ${reason}`)]
  return all.length === 0 ? undefined : `Devices: ${all.join('; ')}.`.slice(0, messageMax)
}

/**
 * The health to report. A tunnel that fails, or a peer left out, does no harm to this host, but to its subnets, and a
 * machine that cannot join its partition does not start.
 */
export function healthToReport(health: HostHealth, { devices, tunnel, partition, left_out }: HealthNotes): HostHealth {
  if (health.health === 'healthy' && devices !== undefined) return { health: 'faulted', message: devices }
  const notes = [
    ...(tunnel === undefined ? [] : [`The tunnel to other hosts does not work: ${tunnel}.`]),
    ...(partition === undefined ? [] : [`A machine could not join its InfiniBand partition. ${partition}`]),
    ...(left_out.length === 0 ? [] : [`Peers without a usable address are left out. ${left_out.join('; ')}`]),
  ]
  if (notes.length === 0 || health.message !== undefined) return health
  return { ...health, message: notes.join(' ').slice(0, messageMax) }
}
