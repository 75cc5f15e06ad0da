/** The address of a client behind proxies. */
import { canonicalAddress, isInNetworks, type Network } from './networks.rules.ts'

/** More proxies in a row than any installation has. */
const hopsMax = 16

/**
 * The address of the client of a request. Each proxy appends the address that it was called from to `X-Forwarded-For`,
 * so the list is read from its end, as long as the address before is one of a trusted proxy. What a client wrote into
 * the header itself stands further left, and is not reached.
 * @param peer the address of the socket
 * @param forwarded the header, with the values of repeated ones joined by commas
 * @param proxies the networks of the trusted proxies
 * @returns the first address from the end that is not one of a trusted proxy; that of the last proxy where it names no
 *   address, such as `unknown`
 */
export function clientAddress(peer: string, forwarded: string | undefined, proxies: readonly Network[]): string {
  let address = peer
  let list = forwarded
  for (let hop = 0; hop < hopsMax && list !== undefined && isInNetworks(address, proxies); hop++) {
    const comma = list.lastIndexOf(',')
    const before = addressIn(list.slice(comma + 1).trim())
    if (before === undefined) return address
    address = before
    list = comma < 0 ? undefined : list.slice(0, comma)
  }
  return address
}

/**
 * Some proxies write the port of the client too. An address with a zone means nothing on this machine. All spellings of
 * one address become one, so that they share limits and look the same in the audit trail.
 */
function addressIn(entry: string): string | undefined {
  if (entry.includes('%')) return undefined
  const [, bracketed] = /^\[([^\]]{1,64})\](?::\d{1,5})?$/.exec(entry) ?? []
  const [, plain] = /^([\d.]{7,15})(?::\d{1,5})?$/.exec(entry) ?? []
  return canonicalAddress(bracketed ?? plain ?? entry)
}
