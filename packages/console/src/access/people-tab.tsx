/** The people of the account: add, change, roles, sign-in links, sessions, removal. */

import type { User } from '@bourse/sdk'
import { useState } from 'react'
import { users } from '../generated/rows/access.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { textFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { Button } from '../ui/button.tsx'
import { ChangePerson, RemovePersonDialog } from './dialogs.tsx'
import { EndSessionsDialog } from './end-dialogs.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { PersonRoles } from './person-roles.tsx'
import { SignInLinkDialog } from './sign-in-link.tsx'

type AskedAction = { readonly what: 'link' | 'roles' | 'edit' | 'sessions' | 'delete'; readonly user: User }

/** The tab. */
export function PeopleTab() {
  const [asked, setAsked] = useState<AskedAction>()
  const close = () => setAsked(undefined)
  return (
    <ListTab
      name="People"
      operation="list_users"
      every={30_000}
      columns={columnsWith(setAsked)}
      filters={{ email: textFilter('Find by address', { placeholder: 'Find by e-mail' }) }}
      create={{ label: 'Add a person', dialog: (done) => <InviteDialog onClose={done} /> }}
    >
      {asked?.what === 'link' ? <SignInLinkDialog user={asked.user} onClose={close} /> : null}
      {asked?.what === 'roles' ? <PersonRoles user={asked.user} onClose={close} /> : null}
      {asked?.what === 'edit' ? <ChangePerson user={asked.user} onClose={close} /> : null}
      {asked?.what === 'sessions' ? <EndSessionsDialog user={asked.user} onClose={close} /> : null}
      {asked?.what === 'delete' ? <RemovePersonDialog user={asked.user} onClose={close} /> : null}
    </ListTab>
  )
}

const acts: readonly (readonly [what: AskedAction['what'], word: string, label: string])[] = [
  ['link', 'Sign-in link', 'Sign-in link for'],
  ['roles', 'Roles', 'Roles of'],
  ['edit', 'Change', 'Change'],
  ['sessions', 'End sessions', 'End sessions of'],
  ['delete', 'Remove', 'Remove'],
]

function columnsWith(ask: (asked: AskedAction) => void) {
  const actions = (user: User) =>
    acts.map(([what, word, label]) => (
      <Button key={what} kind="plain" onClick={() => ask({ what, user })} aria-label={`${label} ${user.name}`}>
        {word}
      </Button>
    ))
  return columnsOf(
    users,
    [
      'name',
      'email',
      { id: 'full', title: 'Full name', value: fullName },
      { of: 'created_at', title: 'Added' },
      { id: 'actions', title: 'Actions', cell: actions },
    ],
    ['id'],
  )
}

function fullName({ first_name, last_name }: User): string {
  return [first_name, last_name].filter((part) => part).join(' ')
}
