/** The people of the account: add, change, roles, sign-in links, sessions, removal. */
import type { User } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useAction, useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { TypedFilter } from '../ui/typed-filter.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { PersonDialog } from './person-dialog.tsx'
import { PersonRoles } from './person-roles.tsx'
import { Refusal } from './refusal.tsx'
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
      {asked?.what === 'sessions' || asked?.what === 'delete' ? (
        <EndDialog what={asked.what} user={asked.user} onClose={close} />
      ) : null}
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

function EndDialog({ what, user, onClose }: { what: 'sessions' | 'delete'; user: User; onClose: () => void }) {
  const isRemoval = what === 'delete'
  const [cascade, setCascade] = useState(false)
  const end = useAction(
    async () => {
      if (isRemoval) await client.users.delete(user.id)
      else await client.users.endSessions(user.id, cascade ? { cascade } : {})
    },
    {
      nouns: ['user', 'grant', 'token'],
      onDone: () => {
        say(isRemoval ? `Removed ${user.name}.` : `Ended the sessions of ${user.name}.`)
        onClose()
      },
    },
  )
  return (
    <ConfirmDialog
      title={isRemoval ? `Remove ${user.name}?` : `End all sessions of ${user.name}?`}
      action={isRemoval ? 'Remove' : 'End sessions'}
      isOpen
      onClose={onClose}
      onConfirm={() => end.run(undefined)}
      isBusy={end.isRunning}
    >
      <p>
        {isRemoval
          ? 'Grants, sessions and sign-in links of this person end at once. Tokens of programs stay.'
          : 'Every browser and program that is signed in as this person is signed out. Open sign-in links end too.'}
      </p>
      {!isRemoval && (
        <label>
          <input type="checkbox" checked={cascade} onChange={({ target }) => setCascade(target.checked)} /> Also end
          what was made in them: tokens, links, passkeys, further sessions, and what was made with those
        </label>
      )}
      <Refusal error={end.error} />
    </ConfirmDialog>
  )
}
