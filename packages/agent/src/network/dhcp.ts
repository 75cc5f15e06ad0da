/**
 * Gives guests their addresses. Their questions come in as the metadata's do: over the host's ends of the links, from
 * the end of a slot, so that each is given what is its own.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { hostEnd, slotOfEnd } from './addresses.rules.ts'
import { answerDhcp, type Lease } from './dhcp.rules.ts'
import { dhcpPort } from './plan.rules.ts'

/** Answers at the host's ends, of which at least one has to be there. `leaseOf` tells what a slot's guest is given. */
export async function openDhcp(leaseOf: (slot: number) => Lease | undefined): Promise<AsyncDisposable> {
  const socket = createSocket('udp4')
  socket.on('message', (packet, { address, port }) => {
    const slot = slotOfEnd(address)
    const lease = slot === undefined ? undefined : leaseOf(slot)
    const answer = lease && answerDhcp(packet, lease)
    // A guest that has gone meanwhile has no use for it.
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
