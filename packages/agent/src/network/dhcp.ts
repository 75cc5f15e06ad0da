/**
 * Serves DHCP to guests. As with metadata, requests arrive at the link ends on the host from the address of a slot,
 * which identifies the guest.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { hostEnd, slotOfEnd } from './addresses.rules.ts'
import { answerDhcp, type Lease } from './dhcp.rules.ts'
import { dhcpPort } from './plan.rules.ts'

/** Serves the link ends on the host, of which at least one must exist. `leaseOf` returns the lease of a slot. */
export async function openDhcp(leaseOf: (slot: number) => Lease | undefined): Promise<AsyncDisposable> {
  const socket = createSocket('udp4')
  socket.on('message', (packet, { address, port }) => {
    const slot = slotOfEnd(address)
    const lease = slot === undefined ? undefined : leaseOf(slot)
    const answer = lease && answerDhcp(packet, lease)
    // Errors are ignored: the guest may have ended.
    if (answer) socket.send(answer, port, address, () => {})
  })
  socket.bind(dhcpPort, hostEnd)
  await once(socket, 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}
