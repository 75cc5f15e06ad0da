/** The address of a client behind proxies. */
import { canonicalAddress, isInNetworks, type Network } from '../base/networks.rules.ts'
import type { serverSettings } from '../base/server-settings.ts'

/** In what a trusted proxy names its client. Exactly one of these is read: a client could write the others itself. */
export type ProxyHeader = (typeof serverSettings.BOURSE_PROXY_HEADER.words)[number]

/** The headers of a request among them. */
type ProxyList = Exclude<ProxyHeader, 'proxy-protocol'>

/** The last entry of a list: the address in it, if there is one, and what stands before it. */
type ForwardedEntry = { readonly address: string | undefined; readonly before: string | undefined }

/** More proxies in a row than any installation has. */
const hopsMax = 16
/** An element of `Forwarded` that is longer names no address. */
const elementLengthMax = 512

const readLast: Readonly<Record<ProxyList, (list: string) => ForwardedEntry>> = {
  'x-forwarded-for': (list) => entryFrom(list, list.lastIndexOf(','), (entry) => addressIn(entry.trim())),
  forwarded: (list) => entryFrom(list, lastComma(list), addressInElement),
}

/**
 * The address of the client of a request. Each proxy appends the address that it was called from to `X-Forwarded-For`
 * or `Forwarded` (RFC 7239), so the list is read from its end, as long as the address before is one of a trusted proxy.
 * What a client wrote into the header itself stands further left, and is not reached, whether it is well-formed or not.
 * @param peer the address of the socket
 * @param sent the header, with the values of repeated ones joined by commas
 * @param proxies the networks of the trusted proxies
 * @returns the first address from the end that is not one of a trusted proxy; that of the last proxy where it names no
 *   address, such as `unknown`
 */
export function clientAddress(
  peer: string,
  sent: string | undefined,
  { proxies, header }: { readonly proxies: readonly Network[]; readonly header: ProxyList },
): string {
  let address = peer
  let list = sent
  for (let hop = 0; hop < hopsMax && list !== undefined && isInNetworks(address, proxies); hop++) {
    const last = readLast[header](list)
    if (last.address === undefined) return address
    address = last.address
    list = last.before
  }
  return address
}

function entryFrom(list: string, comma: number, read: (entry: string) => string | undefined): ForwardedEntry {
  return { address: read(list.slice(comma + 1)), before: comma < 0 ? undefined : list.slice(0, comma) }
}

/** The last comma that is in no quoted string; -1 if there is none. */
function lastComma(list: string): number {
  let isQuoted = false
  for (let at = list.length - 1; at >= 0 && at >= list.length - elementLengthMax; at--) {
    if (list[at] === '"' && !isEscaped(list, at)) isQuoted = !isQuoted
    else if (list[at] === ',' && !isQuoted) return at
  }
  return -1
}

function isEscaped(list: string, at: number): boolean {
  let backslashes = 0
  while (list[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

/** A pair of an element, or nothing, up to the semicolon behind it. Some proxies leave out the quotes around a port. */
const pairs = /[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"\\;,]*))[ \t]*)?(;|$)/y

/** The address after `for` in an element such as `for="[2001:db8::1]:443";proto=https`. */
function addressInElement(element: string): string | undefined {
  if (element.length > elementLengthMax) return undefined
  const found: string[] = []
  pairs.lastIndex = 0
  for (let isOver = false; !isOver; ) {
    const pair = pairs.exec(element)
    if (!pair) return undefined
    const [, name, quoted, plain = '', end] = pair
    if (name?.toLowerCase() === 'for') found.push(quoted?.replaceAll(/\\(.)/g, '$1') ?? plain)
    isOver = end === ''
  }
  const [node, ...others] = found
  return node === undefined || others.length > 0 ? undefined : addressIn(node)
}

/**
 * Some proxies write the port of the client too, `Forwarded` also a name in its place. An address with a zone means
 * nothing on this machine. All spellings of one address become one, so that they share limits and look the same in the
 * audit trail.
 */
function addressIn(entry: string): string | undefined {
  if (entry.includes('%')) return undefined
  const [, bracketed] = /^\[([^\]]{1,64})\](?::(?:\d{1,5}|_[\w.-]{1,64}))?$/.exec(entry) ?? []
  const [, plain] = /^([\d.]{7,15})(?::(?:\d{1,5}|_[\w.-]{1,64}))?$/.exec(entry) ?? []
  return canonicalAddress(bracketed ?? plain ?? entry)
}
