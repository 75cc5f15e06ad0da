/** The addresses of a database, of which one at a time is used. */
import type { DatabaseTarget } from './database-target.ts'

type DatabaseAddress = Pick<DatabaseTarget, 'host' | 'port'>

/** The addresses of one database. */
export type DatabaseAddresses = {
  readonly count: number
  /** The address for new connections. */
  current(): DatabaseAddress
  /** Goes on to the next address, unless that has happened since the failed connection was opened. */
  skip(failed: DatabaseAddress): void
  /** Uses the address at a place of the list from now on. */
  use(place: number): void
  /** The place of an address in the list. */
  placeOf(address: DatabaseAddress): number
}

/** The kinds of failures of a connection. */
type Kinds = {
  readonly isUnavailable: (error: unknown) => boolean
  /** Whether all connections to the address are in use, which says nothing against its server. */
  readonly isFull: (error: unknown) => boolean
  readonly isReplaced: (error: unknown) => boolean
  /** Converts any other failure to what the operator can act on. */
  readonly explain: (error: unknown) => unknown
}

/** Begins with the first address of a target. */
export function createAddresses({ host, port, others = [] }: DatabaseTarget): DatabaseAddresses {
  const all: readonly DatabaseAddress[] = [{ host, port }, ...others]
  let at = 0
  const current = () => all[at] as DatabaseAddress
  return {
    count: all.length,
    current,
    skip: (failed) => {
      if (failed === current()) at = (at + 1) % all.length
    },
    use: (place) => {
      at = place
    },
    placeOf: ({ host, port }) => all.findIndex((one) => one.host === host && one.port === port),
  }
}

/**
 * Connects to the current address, and on failure to the next ones, each once. Throws the last failure, or that of a
 * server that responds and must not be used: what is wrong with the others is in its message.
 */
export async function atAnyAddress<T>(
  addresses: DatabaseAddresses,
  connect: () => Promise<T>,
  { isUnavailable, isFull, isReplaced, explain }: Kinds,
): Promise<T> {
  let replaced: unknown
  for (let left = addresses.count; ; left--) {
    const address = addresses.current()
    try {
      return await connect()
    } catch (error) {
      if (!isUnavailable(error)) throw explain(error)
      if (isFull(error)) throw error
      addresses.skip(address)
      if (isReplaced(error)) replaced = error
      if (left <= 1) throw replaced ?? error
    }
  }
}
