/**
 * Addresses that pass requests of others on and that nobody named: all of their clients share the limits of one
 * address. Each is logged, and stored for the doctor.
 */
import { monotonicMilliseconds } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { ProxyHeader } from './client-address.rules.ts'

/** Clients that reach the server past its proxy can send the header from any number of addresses. */
const peersMax = 16
/** The doctor forgets an address after 30 days, so one that goes on is stored again in between. */
const againMilliseconds = 86_400_000
/** How soon a failed write is tried again. */
const retryMilliseconds = 10_000

const names: Readonly<Record<ProxyHeader, string>> = {
  'x-forwarded-for': 'X-Forwarded-For',
  forwarded: 'Forwarded',
  'proxy-protocol': 'The header of the PROXY protocol',
}

type ProxyNoteOptions = {
  readonly log: Log
  readonly header: ProxyHeader
  /** Stores an address. */
  readonly record: (address: string) => Promise<unknown>
  readonly now?: () => number
}

/** Returns a function that notes an address. It may be called with each request. */
export function createProxyNotes({ log, header, record, now = monotonicMilliseconds }: ProxyNoteOptions) {
  const nextAt = new Map<string, number>()
  return (peer: string): void => {
    // A connection that was reset has no address.
    if (peer === '') return
    const dueAt = nextAt.get(peer)
    if (dueAt === undefined ? nextAt.size >= peersMax : now() < dueAt) return
    nextAt.set(peer, now() + retryMilliseconds)
    const remedy = 'If it is your proxy, name it in BOURSE_TRUSTED_PROXIES.'
    if (dueAt === undefined) log.warn({ address: peer }, `${names[header]} does not count from this address. ${remedy}`)
    record(peer).then(
      () => nextAt.set(peer, now() + againMilliseconds),
      (err) => log.debug({ err }, 'The address was not noted for the doctor.'),
    )
  }
}
