/** The questions before a token or a session ends, alone or with what descends from it. */
import type { Token } from '@bourse/sdk'
import { type ReactNode, useState } from 'react'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { deviceText } from './rights.rules.ts'

/** Asks before the token of a program ends. */
export function EndTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  return (
    <EndDialog
      token={token}
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
      token={session}
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

type EndTokenProps = {
  token: Token
  onClose: () => void
  title: string
  action: string
  /** What the box next to it adds. */
  more: string
  said: (isWhole: boolean) => string
  children: ReactNode
}

function EndDialog({ token, onClose, title, action, more, said, children }: EndTokenProps) {
  const [cascade, setCascade] = useState(false)
  return (
    <ConfirmOperation
      operation="delete_token"
      params={{ id: token.id }}
      input={cascade ? { cascade } : undefined}
      title={title}
      action={action}
      nouns={['token', 'grant', 'account']}
      said={said(cascade)}
      onClose={onClose}
    >
      <p>{children}</p>
      <label>
        <input type="checkbox" checked={cascade} onChange={({ target }) => setCascade(target.checked)} /> {more}
      </label>
    </ConfirmOperation>
  )
}
