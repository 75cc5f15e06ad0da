/** Values by their keys that many places of a page want at once: they are asked for together, and shared. */

/** Milliseconds for which keys are collected. */
const collecting = 20

/** How values are asked for. */
export type AskedOptions<T> = {
  /** Asks for values; keys without one are left out. */
  readonly ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>
  /** Runs the question once keys were collected for a moment. */
  readonly later?: (run: () => void) => void
  /** Milliseconds after which a value is asked for again when it is wanted anew. */
  readonly fresh?: number
  readonly now?: () => number
}

/** Values that are remembered. */
export type SharedAnswers<T> = {
  /** The value, as far as it was read. */
  readonly known: (key: string) => T | undefined
  /** Asks for what is not known or old. Where that fails, the next one who wants it asks again. */
  readonly want: (keys: readonly string[]) => void
  readonly subscribe: (watcher: () => void) => () => void
}

/** Makes the store. */
export function askedTogether<T>({
  ask,
  later = (run) => void setTimeout(run, collecting),
  fresh = Number.POSITIVE_INFINITY,
  now = () => performance.now(),
}: AskedOptions<T>): SharedAnswers<T> {
  const values = new Map<string, { readonly value: T | undefined; readonly at: number }>()
  const wanted = new Set<string>()
  const watchers = new Set<() => void>()
  let isCollecting = false
  const keep = (keys: Iterable<string>, at: number, found?: ReadonlyMap<string, T>) => {
    for (const key of keys) values.set(key, { value: found ? found.get(key) : values.get(key)?.value, at })
  }
  const askNow = async () => {
    isCollecting = false
    const keys = [...wanted]
    wanted.clear()
    // What is on its way is not asked for twice.
    keep(keys, now())
    try {
      keep(keys, now(), await ask(keys))
    } catch {
      keep(keys, Number.NEGATIVE_INFINITY)
    }
    for (const watcher of watchers) watcher()
  }
  return {
    known: (key) => values.get(key)?.value,
    want: (keys) => {
      for (const key of keys) {
        const last = values.get(key)
        if (!last || now() - last.at >= fresh) wanted.add(key)
      }
      if (wanted.size === 0 || isCollecting) return
      isCollecting = true
      later(() => void askNow())
    },
    subscribe: (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}
