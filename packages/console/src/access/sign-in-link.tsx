/** A sign-in link, shown once. */
import type { User } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Copyable, Moment } from '../ui/values.tsx'

/** Makes a link for a person. It is forgotten when the dialog closes. */
export function SignInLinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [made, setMade] = useState<{ url: string; expires_at: number }>()
  const make = useAction(() => client.users.createSignInLink(user.id), { onDone: setMade })
  return (
    <Dialog title={`Sign-in link for ${user.name}`} isOpen onClose={onClose}>
      <div className="stack">
        {made ? (
          <>
            <p>
              Whoever opens it first is <bdi>{user.name}</bdi>. It works once, until <Moment at={made.expires_at} />,
              and is not shown again.
            </p>
            <Copyable text={made.url} />
          </>
        ) : (
          <p>
            The link signs in as this person, once, within 15 minutes. Send it on a way that nobody else reads. A link
            ends when the person gets a further role, so give roles first.
          </p>
        )}
        <ErrorText error={make.error} />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          {made ? null : (
            <Button kind="primary" isBusy={make.isRunning} onClick={() => make.run(undefined)}>
              Make the link
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  )
}
