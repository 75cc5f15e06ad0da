/** Sign-in links, which are shown once. */
import type { SignInLink, User } from '@bourse/sdk'
import { useState } from 'react'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Moment } from '../ui/values.tsx'

/** Makes a link for a person. */
export function SignInLinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [link, setLink] = useState<SignInLink>()
  if (link) return <LinkShown name={user.name} link={link} onClose={onClose} />
  return (
    <ConfirmOperation
      operation="create_user_sign_in_link"
      params={{ id: user.id }}
      title={`Sign-in link for ${user.name}`}
      action="Make the link"
      isDangerous={false}
      nouns={[]}
      onDone={setLink}
      onClose={onClose}
    >
      <p>
        The link signs in as this person, once, within 15 minutes. Send it on a way that nobody else reads. A link ends
        when the person gets a further role, so give roles first.
      </p>
    </ConfirmOperation>
  )
}

type LinkShownProps = { name: string; link: SignInLink; onClose: () => void }

/** A link that was made. */
export function LinkShown({ name, link, onClose }: LinkShownProps) {
  return (
    <ShownOnce title={`Sign-in link for ${name}`} ways={{ Link: link.url }} onClose={onClose}>
      <p>
        Whoever opens it first is <bdi>{name}</bdi>. It works once, until <Moment at={link.expires_at} />, and is not
        shown again. Send it on a way that nobody else reads.
      </p>
    </ShownOnce>
  )
}
