/** The tokens of programs. */

import type { Token } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { useState } from 'react'
import { tokens } from '../generated/rows/access.ts'
import { useNow } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { LiveAge } from '../live/lists/formats.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { Button } from '../ui/button.tsx'
import { EndTokenDialog } from './end-dialogs.tsx'
import { WorkspaceFilter } from './filters.tsx'
import { TokenDialog } from './token-dialog.tsx'

/** The tab. */
export function TokensTab() {
  const [ended, setEnded] = useState<Token>()
  return (
    <ListTab
      name="Tokens"
      operation="list_tokens"
      fixed={{ kind: 'service' }}
      every={30_000}
      columns={columnsWith(setEnded)}
      filters={{ workspace: WorkspaceFilter }}
      create={{ label: 'Create a token', dialog: (close) => <TokenDialog onClose={close} /> }}
      empty={{
        title: 'No token',
        command: 'bourse tokens create --name nightly --roles operator --expires-at +30d',
        text: 'A program sends a token with each request. It has roles of its own and ends by itself.',
      }}
    >
      {ended ? <EndTokenDialog token={ended} onClose={() => setEnded(undefined)} /> : null}
    </ListTab>
  )
}

/** So many seconds before its end a token is pointed out. */
const soon = 7 * daySeconds

function Expiry({ at }: { at: number }) {
  return (
    <span className={at - useNow() < soon ? 'warn' : ''}>
      <LiveAge at={at} />
    </span>
  )
}

function columnsWith(end: (token: Token) => void) {
  return columnsOf(
    tokens,
    [
      'name',
      { of: 'suffix', cell: ({ suffix }) => <code>…{suffix}</code> },
      'workspace',
      { of: 'expires_at', cell: ({ expires_at }) => <Expiry at={expires_at ?? 0} />, none: 'never' },
      { of: 'last_used_at', none: 'not yet' },
      'created_by',
      {
        id: 'actions',
        title: 'Actions',
        cell: (row) => (
          <Button kind="plain" onClick={() => end(row)} aria-label={`End the token ${row.name}`}>
            End
          </Button>
        ),
      },
    ],
    ['id'],
  )
}
