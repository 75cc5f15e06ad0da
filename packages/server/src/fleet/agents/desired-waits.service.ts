/**
 * Agents that wait for news. The database is asked only for what was told lately, whatever the number of those who
 * wait; none holds a connection or a place meanwhile.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { after } from '../../core/base/clock.ts'
import type { Log } from '../../core/base/log.ts'
import { createNews, type News } from '../../core/base/news.ts'
import type { Database } from '../../core/db/db.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { listTold } from '../hosts/hosts.store.ts'

/** What was told is seen once its transaction is over; none lasts nearly as long. */
const latelySeconds = 60
/** Who has more than this many questions open has lost the oldest. */
const waitersOfKeyMax = 4

/** Waits until a host is to do something newer than it has seen; no longer than so many seconds. */
export async function waitForNews(
  runtime: Runtime,
  host_id: Id<'host'>,
  { seen, seconds }: { seen: number; seconds: number },
): Promise<void> {
  if (seconds === 0) return
  const over = new AbortController()
  const cancel = after(seconds * 1000, () => over.abort())
  await runtime.services.desired_news.wait(host_id, seen, over.signal)
  cancel()
}

/** Lets everybody go who waits, and nobody wait any more: the server is about to close. */
export function endWaits(runtime: Runtime): void {
  runtime.services.desired_news.close()
}

declare module '../../core/work/services.ts' {
  interface Services {
    readonly desired_news: News
  }
}

/** Makes the notifier of a server: it polls which hosts have a new generation while agents wait. */
export function createDesiredNews({ database, log }: { database: Database; log: Log }): News {
  return createNews({
    ask: async (waiting) => {
      const told = await listTold(database.reader, latelySeconds)
      const isNews = ([id, generation]: [string, number]) =>
        generation > (waiting.seenOf(id) ?? Number.POSITIVE_INFINITY)
      return [...told].filter(isNews).map(([id]) => id)
    },
    onFailure: (err) => log.debug({ err }, 'New generations of hosts could not be read; the read is repeated.'),
    waitersOfKeyMax,
  })
}
