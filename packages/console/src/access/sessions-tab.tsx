/** One's own sessions: the browsers and programs that are signed in. */
import type { Token } from '@bourse/sdk'
import { useState } from 'react'
import { tokens } from '../generated/rows/access.ts'
import { useAccount } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { EndSessionDialog } from './end-dialogs.tsx'
import { deviceText } from './rights.rules.ts'

/** The tab. */
export function SessionsTab() {
  const { data: account } = useAccount()
  const [ended, setEnded] = useState<Token>()
  return (
    <ListTab
      name="Sessions"
      operation="list_tokens"
      fixed={{ kind: 'session' }}
      every={30_000}
      columns={columnsWith(account?.token.id, setEnded)}
      actions={
        <a href="/sign_in/passkeys" className={buttonClass()}>
          Passkeys
        </a>
      }
      above={() => (
        <p className="quiet">
          Is one of them not yours? End it with what was made in it, and look at the events of your account.
        </p>
      )}
    >
      {ended ? <EndSessionDialog session={ended} onClose={() => setEnded(undefined)} /> : null}
    </ListTab>
  )
}

function columnsWith(own: string | undefined, end: (token: Token) => void) {
  return columnsOf(tokens, [
    {
      of: 'device',
      cell: ({ id, device }) => (
        <span className="row" title={device ?? undefined}>
          {deviceText(device)}
          {id === own ? <Badge word="this one" tone="good" /> : null}
        </span>
      ),
      none: deviceText(null),
    },
    { of: 'address', title: 'Address' },
    { of: 'last_used_at', none: 'not yet' },
    { of: 'created_at', title: 'Signed in' },
    { of: 'expires_at', title: 'Ends', none: 'never' },
    {
      id: 'actions',
      title: 'Actions',
      cell: (row) => (
        <Button kind="plain" onClick={() => end(row)} aria-label={`End the session ${row.suffix}`}>
          End
        </Button>
      ),
    },
  ])
}
