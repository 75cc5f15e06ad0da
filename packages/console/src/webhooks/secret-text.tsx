/** A secret that is shown once. */
import { Copyable } from '../ui/values.tsx'

/** The secret with what to do with it. It is kept nowhere in the browser. */
export function SecretText({ secret }: { secret: string }) {
  return (
    <>
      <p>
        Store it now: it is not shown again. Your program verifies each message with it, as{' '}
        <a href="/docs/guides/events">the guide</a> shows.
      </p>
      <p>
        <Copyable text={secret} />
      </p>
    </>
  )
}
