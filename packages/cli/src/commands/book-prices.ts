/** `bourse book prices`: its times are rounded to whole rows, because the operation takes no other ones. */
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { type CommandContext, type GlobalOptions, openSession } from '../input/session.ts'
import { readTime } from '../input/times.ts'

type BookPricesOptions = GlobalOptions & {
  readonly since?: string
  readonly until?: string
  readonly interval?: string
}

const secondsOf: Readonly<Record<string, number>> = { minute: 60, hour: hourSeconds, day: daySeconds }

/** The options with the rows that contain the given times. */
export async function alignPrices(context: CommandContext, options: BookPricesOptions): Promise<BookPricesOptions> {
  const seconds = secondsOf[options.interval ?? 'hour'] ?? 1
  const round = async (text: string | undefined, edge: (rows: number) => number) => {
    if (text === undefined) return undefined
    return String(edge((await readTime(openSession(context, options), text)) / seconds) * seconds)
  }
  const since = await round(options.since, Math.floor)
  const until = await round(options.until, Math.ceil)
  return { ...options, ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) }
}
