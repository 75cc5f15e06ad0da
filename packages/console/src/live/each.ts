/** One request for each of several resources, where some may fail and the others count. */

/** What was done, and what failed and why. */
export type EachResult<T> = {
  readonly done: readonly T[]
  readonly failed: readonly { readonly item: T; readonly error: Error }[]
}

/** Requests that run at a time. */
const atOnceMax = 4

/** Runs an action on each item. It never rejects. */
export async function runEach<T>(
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
  onProgress?: (finished: number) => void,
): Promise<EachResult<T>> {
  const done: T[] = []
  const failed: { item: T; error: Error }[] = []
  const rest = [...items]
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      try {
        await run(item)
        done.push(item)
      } catch (error) {
        failed.push({ item, error: error as Error })
      }
      onProgress?.(done.length + failed.length)
    }
  }
  await Promise.all(Array.from({ length: atOnceMax }, work))
  return { done, failed }
}
