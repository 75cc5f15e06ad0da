/** What was done in this tab as a script of the SDK. */
import { useSyncExternalStore } from 'react'
import { onRequests, sentRequests } from '../live/requests.ts'
import { Button } from '../ui/button.tsx'
import { say } from '../ui/toasts.tsx'
import { scriptOf } from './script.rules.ts'

/** A button that copies the script. */
export function CopyAsTest() {
  const requests = useSyncExternalStore(onRequests, sentRequests)
  const script = scriptOf(requests.toReversed())
  const copy = async () => {
    await navigator.clipboard.writeText(script.text)
    say(`Copied a test of ${script.count} ${script.count === 1 ? 'step' : 'steps'}.`)
  }
  return (
    <Button disabled={script.count === 0} onClick={() => void copy()}>
      Copy as test ({script.count})
    </Button>
  )
}
