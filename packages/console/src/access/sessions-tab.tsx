/** One's own sessions: the browsers and programs that are signed in. */
import type { Token } from '@bourse/sdk'
import { useState } from 'react'
import { useAccount, useNow } from '../live/clock.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useList } from '../live/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import type { Column } from '../ui/table.tsx'
import { Age } from '../ui/values.tsx'
import { EndSessionDialog } from './end-dialogs.tsx'
import { deviceText } from './rights.rules.ts'

/** The tab. */
export function SessionsTab() {
  const { data: account } = useAccount()
  const list = useList('list_tokens', { kind: 'session' }, { every: 30_000 })
  const now = useNow()
  const [ended, setEnded] = useState<Token>()
  return (
    <div className="stack">
      <div className="row">
        <a href="/sign_in/passkeys" className={buttonClass()}>
          Passkeys
        </a>
      </div>
      <p className="quiet">
        Is one of them not yours? End it with what was made in it, and look at the events of your account.
      </p>
      <ListView
        name="Sessions"
        list={list}
        columns={columnsWith({ now, own: account?.token.id, end: setEnded })}
        keyOf={({ id }) => id}
      />
      {ended ? <EndSessionDialog session={ended} onClose={() => setEnded(undefined)} /> : null}
    </div>
  )
}

type Shown = { now: number; own: string | undefined; end: (token: Token) => void }

function columnsWith({ now, own, end }: Shown): readonly Column<Token>[] {
  return [
    {
      id: 'device',
      title: 'Device',
      value: ({ device }) => device,
      cell: ({ id, device }) => (
        <span className="row" title={device ?? undefined}>
          {deviceText(device)}
          {id === own ? <Badge word="this one" tone="good" /> : null}
        </span>
      ),
    },
    { id: 'address', title: 'Address', value: ({ address }) => address, cell: ({ address }) => address ?? '–' },
    {
      id: 'last_used_at',
      title: 'Last use',
      value: (row) => row.last_used_at,
      cell: (row) => (row.last_used_at === null ? 'not yet' : <Age at={row.last_used_at} now={now} />),
    },
    {
      id: 'created_at',
      title: 'Signed in',
      value: (row) => row.created_at,
      cell: (row) => <Age at={row.created_at} now={now} />,
    },
    {
      id: 'expires_at',
      title: 'Ends',
      value: (row) => row.expires_at,
      cell: (row) => (row.expires_at === null ? 'never' : <Age at={row.expires_at} now={now} />),
    },
    {
      id: 'actions',
      title: 'Actions',
      value: () => '',
      cell: (row) => (
        <Button kind="plain" onClick={() => end(row)} aria-label={`End the session ${row.suffix}`}>
          End
        </Button>
      ),
    },
  ]
}
