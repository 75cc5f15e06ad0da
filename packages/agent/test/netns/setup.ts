import type { HostSetup } from '../../src/network/plan.rules.ts'

/** How a host of the tests takes part. `run` tells the namespaces of one run from those of others. */
export function setupOf(run: string, name: string, address: string): HostSetup {
  const tag = `${run}${name}`
  return { tag, address, first_port: 22_000, reachable: [], nameservers: ['203.0.113.200'] }
}

/** The namespace of the guest that has a hardware address. */
export function guestOf(run: string, mac: string): string {
  return `${run}-guest-${mac.replaceAll(':', '').slice(-4)}`
}
