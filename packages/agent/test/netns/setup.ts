import { createHash } from 'node:crypto'
import type { HostSetup } from '../../src/network/plan.rules.ts'

/** The network setup of a test host. `run` distinguishes the namespaces of concurrent runs. */
export function setupOf(run: string, name: string, address: string): HostSetup {
  const tag = `${run}${name}`
  // Sockets of wireguard-go have the names of devices and are in one folder for all namespaces.
  const tunnel_device = `bw-${createHash('sha256').update(tag).digest('hex').slice(0, 8)}`
  return { tag, address, first_port: 22_000, reachable: [], nameservers: ['203.0.113.200'], tunnel_device }
}

/** The namespace of the guest with a hardware address. */
export function guestOf(run: string, mac: string): string {
  return `${run}-guest-${mac.replaceAll(':', '').slice(-4)}`
}
