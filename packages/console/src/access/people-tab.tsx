/** The people of the account: add, change, roles, sign-in links, sessions, removal. */
import type { User } from '@bourse/sdk'
import { useState } from 'react'
import { useNow } from '../live/clock.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import type { Column } from '../ui/table.tsx'
import { TypedFilter } from '../ui/typed-filter.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { EndSessionsDialog, PersonDialog, RemovePersonDialog } from './dialogs.tsx'
import { PersonRoles } from './person-roles.tsx'
import { SignInLinkDialog } from './sign-in-link.tsx'

type Asked = { readonly what: 'link' | 'roles' | 'edit' | 'sessions' | 'delete'; readonly user: User }

/** The tab. */
export function PeopleTab() {
  const [address, setAddress] = useAddress({ sort: '', create: '', email: '' })
  const [asked, setAsked] = useState<Asked>()
  const list = useList('list_users', { email: address.email }, { every: 30_000 })
  const now = useNow()
  const close = () => setAsked(undefined)
  return (
    <div className="stack">
      <div className="row">
        <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
          Add a person
        </Button>
        <TypedFilter
          label="Find by address"
          placeholder="Find by e-mail"
          value={address.email}
          onChange={(email) => setAddress({ email })}
        />
      </div>
      <ListView name="People" list={list} columns={columnsAt(now, setAsked)} keyOf={({ id }) => id} />
      {address.create === '' ? null : <PersonDialog onClose={() => setAddress({ create: '' })} />}
      {asked?.what === 'link' ? <SignInLinkDialog user={asked.user} onClose={close} /> : null}
      {asked?.what === 'roles' ? <PersonRoles user={asked.user} onClose={close} /> : null}
      {asked?.what === 'edit' ? <PersonDialog user={asked.user} onClose={close} /> : null}
      {asked?.what === 'sessions' ? <EndSessionsDialog user={asked.user} onClose={close} /> : null}
      {asked?.what === 'delete' ? <RemovePersonDialog user={asked.user} onClose={close} /> : null}
    </div>
  )
}

function columnsAt(now: number, ask: (asked: Asked) => void): readonly Column<User>[] {
  return [
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: ({ name }) => name },
    { id: 'email', title: 'E-mail', value: ({ email }) => email, cell: ({ email }) => email ?? '–' },
    { id: 'full', title: 'Full name', value: fullName, cell: (user) => fullName(user) || '–' },
    {
      id: 'created_at',
      title: 'Added',
      value: (row) => row.created_at,
      cell: (row) => <Age at={row.created_at} now={now} />,
    },
    {
      id: 'actions',
      title: 'Actions',
      value: () => '',
      cell: (user) => (
        <>
          <Button kind="plain" onClick={() => ask({ what: 'link', user })} aria-label={`Sign-in link for ${user.name}`}>
            Sign-in link
          </Button>
          <Button kind="plain" onClick={() => ask({ what: 'roles', user })} aria-label={`Roles of ${user.name}`}>
            Roles
          </Button>
          <Button kind="plain" onClick={() => ask({ what: 'edit', user })} aria-label={`Change ${user.name}`}>
            Change
          </Button>
          <Button
            kind="plain"
            onClick={() => ask({ what: 'sessions', user })}
            aria-label={`End sessions of ${user.name}`}
          >
            End sessions
          </Button>
          <Button kind="plain" onClick={() => ask({ what: 'delete', user })} aria-label={`Remove ${user.name}`}>
            Remove
          </Button>
        </>
      ),
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function fullName({ first_name, last_name }: User): string {
  return [first_name, last_name].filter((part) => part).join(' ')
}
