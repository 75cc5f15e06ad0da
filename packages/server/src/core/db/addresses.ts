/** The addresses of a database, of which one at a time is used. */
import type { DatabaseTarget } from './database-target.ts'

type Address = Pick<DatabaseTarget, 'host' | 'port'>

/** The addresses of one database. */
export type Addresses = {
  readonly count: number
  /** The address for new connections. */
  current(): Address
  /** Goes on to the next address, unless that has happened since the failed connection was opened. */
  skip(failed: Address): void
}

/** Begins with the first address of a target. */
export function createAddresses({ host, port, others = [] }: DatabaseTarget): Addresses {
  const all: readonly Address[] = [{ host, port }, ...others]
  let at = 0
  const current = () => all[at] as Address
  return {
    count: all.length,
    current,
    skip: (failed) => {
      if (failed === current()) at = (at + 1) % all.length
    },
  }
}

/** Connects to the current address, and on failure to the next ones, each once. */
export async function atAnyAddress<T>(
  addresses: Addresses,
  connect: () => Promise<T>,
  isUnavailable: (error: unknown) => boolean,
): Promise<T> {
  for (let left = addresses.count; ; left--) {
    const address = addresses.current()
    try {
      return await connect()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      addresses.skip(address)
      if (left <= 1) throw error
    }
  }
}
