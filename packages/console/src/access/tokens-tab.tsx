/** The tokens of programs. */

import type { Token } from '@bourse/sdk'
import { weekSeconds } from '@bourse/text/time/units.ts'
import { useState } from 'react'
import { useNow } from '../live/clock.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { EndTokenDialog } from './end-dialogs.tsx'
import { WorkspaceFilter } from './filters.tsx'
import { TokenDialog } from './token-dialog.tsx'

/** The tab. */
export function TokensTab() {
  const [address, setAddress] = useAddress({ sort: '', create: '', workspace: '' })
  const [ended, setEnded] = useState<Token>()
  const { workspace } = address
  const list = useList('list_tokens', { kind: 'service', workspace }, { every: 30_000 })
  const now = useNow()
  return (
    <div className="stack">
      <div className="row">
        <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
          Create a token
        </Button>
        <WorkspaceFilter value={workspace} onChange={(next) => setAddress({ workspace: next })} />
      </div>
      <ListView
        name="Tokens"
        list={list}
        columns={columnsAt(now, setEnded)}
        keyOf={({ id }) => id}
        empty={workspace === '' ? <NoToken /> : undefined}
      />
      {address.create === '' ? null : <TokenDialog onClose={() => setAddress({ create: '' })} />}
      {ended ? <EndTokenDialog token={ended} onClose={() => setEnded(undefined)} /> : null}
    </div>
  )
}

function NoToken() {
  return (
    <Empty title="No token" command="bourse tokens create --name nightly --roles operator --expires-at +30d">
      A program sends a token with each request. It has roles of its own and ends by itself.
    </Empty>
  )
}

/** So many seconds before its end a token is pointed out. */
const soon = weekSeconds

function columnsAt(now: number, end: (token: Token) => void): readonly Column<Token>[] {
  const creator = ({ created_by }: Token) => created_by.email ?? created_by.name ?? created_by.id ?? 'the system'
  return [
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: ({ name }) => name },
    { id: 'suffix', title: 'Ends in', value: ({ suffix }) => suffix, cell: ({ suffix }) => <code>…{suffix}</code> },
    { id: 'workspace', title: 'Workspace', value: (row) => row.workspace.name, cell: (row) => row.workspace.name },
    {
      id: 'expires_at',
      title: 'Expires',
      value: (row) => row.expires_at,
      cell: ({ expires_at }) => {
        if (expires_at === null) return 'never'
        return (
          <span className={expires_at - now < soon ? 'warn' : ''}>
            <Age at={expires_at} now={now} />
          </span>
        )
      },
    },
    {
      id: 'last_used_at',
      title: 'Last use',
      value: (row) => row.last_used_at,
      cell: (row) => (row.last_used_at === null ? 'not yet' : <Age at={row.last_used_at} now={now} />),
    },
    { id: 'by', title: 'Made by', value: creator, cell: creator },
    {
      id: 'actions',
      title: 'Actions',
      value: () => '',
      cell: (row) => (
        <Button kind="plain" onClick={() => end(row)} aria-label={`End the token ${row.name}`}>
          End
        </Button>
      ),
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}
