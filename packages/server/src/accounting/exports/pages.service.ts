/**
 * Pages that follow each other. The next one is read while its reader works on the last one, so that neither waits for
 * the other; at most two are in memory. A page that is not full is the last.
 */
export async function* pagesAhead<R, P>(
  read: (after: P) => Promise<R[]>,
  first: P,
  { length, placeOf }: { readonly length: number; readonly placeOf: (last: R) => P },
): AsyncGenerator<R[]> {
  let next = read(first)
  for (let isMore = true; isMore; ) {
    const page = await next
    const last = page.at(-1)
    isMore = last !== undefined && page.length === length
    if (last !== undefined && isMore) {
      next = read(placeOf(last))
      // A reader that leaves early does not await it.
      next.catch(() => {})
    }
    if (page.length > 0) yield page
  }
}
