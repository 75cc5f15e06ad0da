/** Whether this host can run machines: its driver, its networks, and the error that says what is missing. */
import type { Driver, Finding, Fitness } from '../drivers/driver.ts'
import { ownAddress } from '../facts/facts.ts'
import type { ChosenNetwork } from '../network/choose.ts'
import { unfitHost } from '../problems.ts'
import type { AgentFlags } from './command-flags.ts'

/** Probes this host: its driver, what machines lack, and their networks. */
export async function inspectHost(
  flags: AgentFlags,
): Promise<{ driver: Driver; fitness: Fitness; network: ChosenNetwork }> {
  const driver = await driverOf(flags)
  const { findings } = await driver.probe()
  const network = await networkOf(flags, driver)
  const all = [...findings, ...(network.finding ? [network.finding] : [])]
  const is_fit = all.every(({ is_good, is_optional }) => is_good || is_optional)
  return { driver, network, fitness: { is_fit, findings: all } }
}

/** The network that this host gives to machines. */
export async function networkOf(flags: AgentFlags, driver: Driver): Promise<ChosenNetwork> {
  const { chooseNetwork } = await import('../network/choose.ts')
  const { directory, network: mode, hostAddress, reachable = [], nameserver, partitionCommand } = flags
  const accepts_unencrypted = flags.insecureHostTraffic ?? false
  const host_address = hostAddress ?? ownAddress()
  const named = { reachable, nameservers: nameserver, partition_command: partitionCommand }
  return chooseNetwork({ mode, directory, host_address, accepts_unencrypted, ...named }, driver)
}

/** The driver that the flags name. */
export async function driverOf({ driver, directory, allowTcg, hostAddress }: AgentFlags): Promise<Driver> {
  const { chooseDriver } = await import('../drivers/choose.ts')
  return chooseDriver({ name: driver, directory, allow_tcg: allowTcg, host_address: hostAddress ?? ownAddress() })
}

/** The error for a host that cannot run machines, with all failed checks. */
export function unfit(fitness: Fitness): Error {
  const missing = lacking(fitness).map(({ subject, message }) => `${subject}: ${message}.`)
  return unfitHost(sentenceOf(fitness, missing))
}

/** Says what is missing, and how to install it. */
export function sentenceOf(fitness: Fitness, missing: readonly string[]): string {
  const packages = new Set(lacking(fitness).flatMap((finding) => finding.package ?? []))
  const remedy = `Install what is missing: apt-get install -y --no-install-recommends ${[...packages].join(' ')}`
  return ['Machines cannot run on this host.', ...missing, ...(packages.size > 0 ? [remedy] : [])].join(' ')
}

function lacking({ findings }: Fitness): readonly Finding[] {
  return findings.filter(({ is_good, is_optional }) => !is_good && !is_optional)
}
