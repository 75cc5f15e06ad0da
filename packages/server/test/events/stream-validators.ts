/**
 * Checks the seven rules for a reader of the event log: compares the pages that it read with the table. A stream is the
 * sequence of pages that one reader read from one start.
 */
import { filterLog, type LoggedEvent, type OracleFilters } from './filter-oracle.ts'

/** A page that was read. All times are of one monotonic clock. */
export type RequestedPage = {
  readonly requested_at: number
  readonly starting_after: string | undefined
  readonly ids: readonly string[]
  readonly has_more: boolean
}

export type Stream = {
  readonly reader: string
  readonly account_id: string
  readonly filters: OracleFilters
  readonly visibility: 'all' | readonly string[]
  /** The event after which the first page starts. */
  readonly behind: string | undefined
  readonly pages: RequestedPage[]
}

/** An event of the table with its transaction, and the time at which the writer knew of the commit. */
export type Committed = LoggedEvent & { readonly xid: string; readonly committed_at: number }

export type StreamViolation = { readonly rule: StreamRule; readonly reader: string; readonly message: string }
type StreamRule = 'ordered' | 'unique' | 'reliable' | 'resumable' | 'atomic' | 'exact' | 'current'

type PositionsById = ReadonlyMap<string, number>

/** All violations of the rules in a stream. */
export function verifyStream(stream: Stream, log: readonly Committed[]): StreamViolation[] {
  const list = filterLog(log, stream.filters, stream.visibility) as Committed[]
  const places: PositionsById = new Map(list.map(({ id }, place) => [id, place]))
  const seen = stream.pages.flatMap(({ ids }) => ids)
  const found: StreamViolation[] = []
  const report = (rule: StreamRule, message: string) => void found.push({ rule, reader: stream.reader, message })
  verifyExact(seen, places, report)
  if (found.length > 0) return found
  verifyOrder(seen, places, list, report)
  verifyPages(stream, places, list, report)
  return found
}

type Report = (rule: StreamRule, message: string) => void

/** exact: every event on a page matches the filters and is visible. */
function verifyExact(seen: readonly string[], places: PositionsById, report: Report): void {
  const stranger = seen.find((id) => !places.has(id))
  if (stranger) report('exact', `${stranger} does not belong to this list`)
}

/** ordered, unique, reliable: positions rise, no event occurs twice, and none is missing between two others. */
function verifyOrder(seen: readonly string[], places: PositionsById, list: readonly Committed[], report: Report): void {
  if (new Set(seen).size < seen.length) report('unique', 'an event occurs twice')
  for (let i = 1; i < seen.length; i++) {
    const before = places.get(seen[i - 1] as string) as number
    const now = places.get(seen[i] as string) as number
    if (now < before) report('ordered', `${seen[i]} came after ${seen[i - 1]}`)
    const missed = list.slice(before + 1, now)
    if (missed.length > 0) report('reliable', `${describe(missed)} missed between ${seen[i - 1]} and ${seen[i]}`)
  }
}

/** resumable, atomic, current: each page continues at its cursor, and a last page has all committed events. */
function verifyPages(
  { behind, pages }: Stream,
  places: PositionsById,
  list: readonly Committed[],
  report: Report,
): void {
  let last = behind === undefined ? -1 : (places.get(behind) ?? -1)
  for (const { ids, has_more, requested_at } of pages) {
    const [first] = ids
    const from = first === undefined ? last + 1 : (places.get(first) as number)
    if (from !== last + 1) report('resumable', `${describe(list.slice(last + 1, from))} missed after the cursor`)
    last = ids.length === 0 ? last : (places.get(ids.at(-1) as string) as number)
    if (has_more) continue
    const [next] = list.slice(last + 1)
    if (next && last >= 0 && next.xid === list[last]?.xid)
      report('atomic', `${next.id} was cut off from its transaction`)
    const late = list.slice(last + 1).filter(({ committed_at }) => committed_at < requested_at)
    if (late.length > 0) report('current', `${describe(late)} committed before the page was requested, and not on it`)
  }
}

function describe(events: readonly Committed[]): string {
  const shown = events.slice(0, 3).map(({ id, position, xid }) => `${id} (position ${position}, transaction ${xid})`)
  return `${events.length} events, such as ${shown.join(', ')},`
}
