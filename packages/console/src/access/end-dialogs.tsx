/** The questions before tokens and sessions end, alone or with what descends from them. */
import type { Token, User } from '@bourse/sdk'
import { type ReactNode, useState } from 'react'
import { ConfirmAny } from '../live/forms/confirm.tsx'
import { deviceText } from './rights.rules.ts'

/** Asks before the token of a program ends. */
export function EndTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  return (
    <EndDialog
      operation="delete_token"
      id={token.id}
      onClose={onClose}
      title={`End the token ${token.name}?`}
      action="End the token"
      more="Also end all tokens that were made with it, and with those"
      said={(isWhole) => `Ended ${token.name}${isWhole ? ' and what was made with it' : ''}.`}
    >
      Programs that use it are refused from now on. This cannot be undone.
    </EndDialog>
  )
}

/** Asks before a session ends. */
export function EndSessionDialog({ session, onClose }: { session: Token; onClose: () => void }) {
  const device = deviceText(session.device)
  return (
    <EndDialog
      operation="delete_token"
      id={session.id}
      onClose={onClose}
      title={`End the session of ${device}?`}
      action="End the session"
      more="Also end what was made in it: tokens, links, passkeys, further sessions, and what was made with those"
      said={(isWhole) => `Signed out ${device}${isWhole ? ', and ended what was made there' : ''}.`}
    >
      It is signed out from now on. If somebody else had it, end what was made in it too.
    </EndDialog>
  )
}

/** Signs a person out everywhere. */
export function EndSessionsDialog({ user, onClose }: { user: User; onClose: () => void }) {
  return (
    <EndDialog
      operation="end_user_sessions"
      id={user.id}
      onClose={onClose}
      title={`End all sessions of ${user.name}?`}
      action="End sessions"
      more="Also end what was made in them: tokens, links, passkeys, further sessions, and what was made with those"
      said={() => `Ended the sessions of ${user.name}.`}
    >
      Every browser and program that is signed in as this person is signed out. Open sign-in links end too.
    </EndDialog>
  )
}

type EndProps = {
  operation: 'delete_token' | 'end_user_sessions'
  id: string
  onClose: () => void
  title: string
  action: string
  /** What the box next to it adds. */
  more: string
  said: (isWhole: boolean) => string
  children: ReactNode
}

function EndDialog({ operation, id, onClose, title, action, more, said, children }: EndProps) {
  const [cascade, setCascade] = useState(false)
  return (
    <ConfirmAny
      operation={operation}
      params={{ id }}
      input={cascade ? { cascade } : undefined}
      title={title}
      action={action}
      nouns={['token', 'user', 'grant', 'account']}
      said={said(cascade)}
      onClose={onClose}
    >
      <p>{children}</p>
      <label>
        <input type="checkbox" checked={cascade} onChange={({ target }) => setCascade(target.checked)} /> {more}
      </label>
    </ConfirmAny>
  )
}
