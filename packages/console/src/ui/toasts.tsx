/** Short messages after an action, in the corner. */
import { lazy, Suspense, useSyncExternalStore } from 'react'

const ToastCorner = lazy(() => import('./toast-corner.tsx').then(({ ToastCorner: corner }) => ({ default: corner })))

let said: readonly string[] = []
const watchers = new Set<() => void>()

/** Says in a sentence that something was done. */
export function say(text: string): void {
  said = [...said, text]
  for (const watcher of watchers) watcher()
}

/** The corner where messages appear; it is loaded with the first one. */
export function Toasts() {
  const texts = useSyncExternalStore(subscribe, () => said)
  if (texts.length === 0) return null
  return (
    <Suspense>
      <ToastCorner texts={texts} />
    </Suspense>
  )
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
