/** Who has which role, and where. */

import type { Grant } from '@bourse/sdk'
import { useState } from 'react'
import { grants } from '../generated/rows/access.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import { Button } from '../ui/button.tsx'
import { EndGrantDialog, GiveDialog } from './dialogs.tsx'
import { PrincipalFilter, RoleFilter, WorkspaceFilter } from './filters.tsx'
import { usePrincipalNames } from './principals.tsx'

const filters = { who: PrincipalFilter, role: RoleFilter, workspace: WorkspaceFilter }

/** The tab. */
export function GrantsTab() {
  const [ended, setEnded] = useState<Grant>()
  const names = usePrincipalNames()
  return (
    <ListTab
      name="Grants"
      operation="list_grants"
      every={30_000}
      columns={columnsWith(names, setEnded)}
      filters={filters}
      query={({ who, role, workspace }) => ({ principal_id: who, role, workspace })}
      create={{ label: 'Give a role', dialog: (close) => <GiveDialog onClose={close} /> }}
      empty={{
        title: 'No grant',
        command: 'bourse grants create --principal-type user --principal-id usr_… --role viewer',
        text: 'Without a grant, a person or a token may do nothing. A grant gives a role, in one workspace or in all.',
      }}
    >
      {ended ? (
        <EndGrantDialog grant={ended} name={names(ended.principal_id)} onClose={() => setEnded(undefined)} />
      ) : null}
    </ListTab>
  )
}

function columnsWith(names: (id: string) => string, end: (grant: Grant) => void) {
  const takeAway = (row: Grant) => (
    <Button
      kind="plain"
      onClick={() => end(row)}
      aria-label={`Take away ${row.role.name} from ${names(row.principal_id)}`}
    >
      Take away
    </Button>
  )
  return columnsOf(
    grants,
    [
      { of: 'principal_id', title: 'Who', value: (row) => names(row.principal_id) },
      { of: 'principal_type', title: 'Kind' },
      'role',
      { of: 'workspace', title: 'Where', none: 'the whole account' },
      { of: 'created_by', title: 'Given by' },
      { of: 'created_at', title: 'Since' },
      { id: 'actions', title: 'Actions', cell: takeAway },
    ],
    ['id'],
  )
}
