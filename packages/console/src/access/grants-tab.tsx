/** Who has which role, and where. */
import type { Grant } from '@bourse/sdk'
import { useState } from 'react'
import { useNow } from '../live/clock.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useList } from '../live/queries.ts'
import { isFiltered, useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { EndGrantDialog, GiveDialog } from './dialogs.tsx'
import { PrincipalFilter, RoleFilter, WorkspaceFilter } from './filters.tsx'
import { usePrincipalNames } from './principals.tsx'

/** The tab. */
export function GrantsTab() {
  const [address, setAddress] = useAddress({ sort: '', create: '', who: '', role: '', workspace: '' })
  const [ended, setEnded] = useState<Grant>()
  const filters = { principal_id: address.who, role: address.role, workspace: address.workspace }
  const list = useList('list_grants', filters, { every: 30_000 })
  const names = usePrincipalNames()
  const now = useNow()
  return (
    <div className="stack">
      <div className="row">
        <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
          Give a role
        </Button>
        <PrincipalFilter value={address.who} onChange={(who) => setAddress({ who })} />
        <RoleFilter value={address.role} onChange={(role) => setAddress({ role })} />
        <WorkspaceFilter value={address.workspace} onChange={(workspace) => setAddress({ workspace })} />
      </div>
      <ListView
        name="Grants"
        list={list}
        columns={columnsWith(names, now, setEnded)}
        keyOf={({ id }) => id}
        empty={isFiltered(filters) ? undefined : <NoGrant />}
      />
      {address.create === '' ? null : <GiveDialog onClose={() => setAddress({ create: '' })} />}
      {ended ? (
        <EndGrantDialog grant={ended} name={names(ended.principal_id)} onClose={() => setEnded(undefined)} />
      ) : null}
    </div>
  )
}

function NoGrant() {
  return (
    <Empty title="No grant" command="bourse grants create --principal-type user --principal-id usr_… --role viewer">
      Without a grant, a person or a token may do nothing. A grant gives a role, in one workspace or in all.
    </Empty>
  )
}

type Names = (id: string) => string

function columnsWith(names: Names, now: number, end: (grant: Grant) => void): readonly Column<Grant>[] {
  const where = ({ workspace }: Grant) => workspace?.name ?? 'the whole account'
  const creator = ({ created_by }: Grant) => created_by.email ?? created_by.name ?? created_by.id ?? 'the system'
  return [
    { id: 'who', title: 'Who', value: (row) => names(row.principal_id), cell: (row) => names(row.principal_id) },
    { id: 'kind', title: 'Kind', value: (row) => row.principal_type, cell: (row) => row.principal_type },
    { id: 'role', title: 'Role', value: ({ role }) => role.name, cell: ({ role }) => role.name },
    { id: 'where', title: 'Where', value: where, cell: where },
    { id: 'by', title: 'Given by', value: creator, cell: creator },
    {
      id: 'created_at',
      title: 'Since',
      value: (row) => row.created_at,
      cell: (row) => <Age at={row.created_at} now={now} />,
    },
    {
      id: 'actions',
      title: 'Actions',
      value: () => '',
      cell: (row) => (
        <Button
          kind="plain"
          onClick={() => end(row)}
          aria-label={`Take away ${row.role.name} from ${names(row.principal_id)}`}
        >
          Take away
        </Button>
      ),
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}
