/** Who has which role, and where. */

import type { Grant } from '@bourse/sdk'
import { useState } from 'react'
import { grants } from '../generated/rows/access.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import { Actor, actorText, type ShownActor } from '../live/names/named.tsx'
import { useName } from '../live/names/names.ts'
import { Button } from '../ui/button.tsx'
import { EndGrantDialog, GiveDialog } from './dialogs.tsx'
import { PrincipalFilter, RoleFilter, WorkspaceFilter } from './filters.tsx'

const filters = { who: PrincipalFilter, role: RoleFilter, workspace: WorkspaceFilter }

/** The tab. */
export function GrantsTab() {
  const [ended, setEnded] = useState<Grant>()
  return (
    <ListTab
      name="Grants"
      operation="list_grants"
      every={30_000}
      columns={columnsWith(setEnded)}
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
        <EndGrantDialog grant={ended} name={actorText(principalOf(ended))} onClose={() => setEnded(undefined)} />
      ) : null}
    </ListTab>
  )
}

/** The person or the program that has the role. */
function principalOf({ principal_type: type, principal_id: id }: Grant): ShownActor {
  return { type, id }
}

function TakeAway({ grant, onPress }: { grant: Grant; onPress: () => void }) {
  const name = useName(grant.principal_id) ?? grant.principal_id
  return (
    <Button kind="plain" onClick={onPress} aria-label={`Take away ${grant.role.name} from ${name}`}>
      Take away
    </Button>
  )
}

function columnsWith(end: (grant: Grant) => void) {
  return columnsOf(
    grants,
    [
      {
        of: 'principal_id',
        title: 'Who',
        value: (row) => actorText(principalOf(row)),
        cell: (row) => <Actor {...principalOf(row)} />,
      },
      { of: 'principal_type', title: 'Kind' },
      'role',
      { of: 'workspace', title: 'Where', none: 'the whole account' },
      { of: 'created_by', title: 'Given by' },
      { of: 'created_at', title: 'Since' },
      { id: 'actions', title: 'Actions', cell: (row) => <TakeAway grant={row} onPress={() => end(row)} /> },
    ],
    ['id'],
  )
}
