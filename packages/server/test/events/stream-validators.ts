/**
 * The seven rules of a reader of the event log, checked afterwards: what was read against what stands in the table.
 * A stream is what one reader read from one start on, page by page.
 */
import { type Filters, filterLog, type LoggedEvent } from './filter-oracle.ts'

/** A page as it was read. Times are of one monotonic clock. */
export type Page = {
  readonly asked_at: number
  readonly starting_after: string | undefined
  readonly ids: readonly string[]
  readonly has_more: boolean
}

export type Stream = {
  readonly reader: string
  readonly account_id: string
  readonly filters: Filters
  readonly visibility: 'all' | readonly string[]
  /** The event that the first page starts behind. */
  readonly behind: string | undefined
  readonly pages: Page[]
}

/** An event of the table with the transaction that wrote it, and when that was told to have committed. */
export type Committed = LoggedEvent & { readonly xid: string; readonly told_at: number }

export type Violation = { readonly rule: Rule; readonly reader: string; readonly says: string }
type Rule = 'ordered' | 'unique' | 'reliable' | 'resumable' | 'atomic' | 'exact' | 'current'

type Place = ReadonlyMap<string, number>

/** Everything that a stream did wrong. */
export function verifyStream(stream: Stream, log: readonly Committed[]): Violation[] {
  const list = filterLog(log, stream.filters, stream.visibility) as Committed[]
  const places: Place = new Map(list.map(({ id }, place) => [id, place]))
  const seen = stream.pages.flatMap(({ ids }) => ids)
  const found: Violation[] = []
  const report = (rule: Rule, says: string) => void found.push({ rule, reader: stream.reader, says })
  verifyExact(seen, places, report)
  if (found.length > 0) return found
  verifyOrder(seen, places, list, report)
  verifyPages(stream, places, list, report)
  return found
}

type Report = (rule: Rule, says: string) => void

/** exact: whatever is shown fits the filters and may be seen. */
function verifyExact(seen: readonly string[], places: Place, report: Report): void {
  const stranger = seen.find((id) => !places.has(id))
  if (stranger) report('exact', `${stranger} does not belong to this list`)
}

/** ordered, unique, reliable: positions rise, none comes twice, none is left out between two. */
function verifyOrder(seen: readonly string[], places: Place, list: readonly Committed[], report: Report): void {
  if (new Set(seen).size < seen.length) report('unique', 'an event came twice')
  for (let i = 1; i < seen.length; i++) {
    const before = places.get(seen[i - 1] as string) as number
    const now = places.get(seen[i] as string) as number
    if (now < before) report('ordered', `${seen[i]} came after ${seen[i - 1]}`)
    const missed = list.slice(before + 1, now)
    if (missed.length > 0) report('reliable', `${describe(missed)} missed between ${seen[i - 1]} and ${seen[i]}`)
  }
}

/** resumable, atomic, current: each page goes on where its cursor says, and a last one leaves nothing committed out. */
function verifyPages({ behind, pages }: Stream, places: Place, list: readonly Committed[], report: Report): void {
  let last = behind === undefined ? -1 : (places.get(behind) ?? -1)
  for (const { ids, has_more, asked_at } of pages) {
    const [first] = ids
    const from = first === undefined ? last + 1 : (places.get(first) as number)
    if (from !== last + 1) report('resumable', `${describe(list.slice(last + 1, from))} missed behind the cursor`)
    last = ids.length === 0 ? last : (places.get(ids.at(-1) as string) as number)
    if (has_more) continue
    const [next] = list.slice(last + 1)
    if (next && last >= 0 && next.xid === list[last]?.xid)
      report('atomic', `${next.id} was cut off from its transaction`)
    const late = list.slice(last + 1).filter(({ told_at }) => told_at < asked_at)
    if (late.length > 0) report('current', `${describe(late)} committed before the page was asked for, and not on it`)
  }
}

function describe(events: readonly Committed[]): string {
  const shown = events.slice(0, 3).map(({ id, position, xid }) => `${id} (position ${position}, transaction ${xid})`)
  return `${events.length} events, such as ${shown.join(', ')},`
}
