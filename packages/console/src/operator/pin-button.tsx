/** Leaves a host out of rollouts of the agent, or takes it in again. */
import type { Host } from '@bourse/sdk'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'

/** The button. */
export function PinButton({ id, isPinned }: { id: Host['id']; isPinned: boolean }) {
  const pin = useAction(() => (isPinned ? client.hosts.unpinAgent(id) : client.hosts.pinAgent(id)), {
    nouns: ['agent_rollout', 'host'],
  })
  return (
    <>
      <Button onClick={() => pin.run(undefined)} isBusy={pin.isRunning}>
        {isPinned ? 'Unpin the agent' : 'Pin the agent'}
      </Button>
      <ErrorText error={pin.error} />
    </>
  )
}
