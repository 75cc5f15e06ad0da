/** The people of the account: add, sign-in links, sessions, removal. */
import type { CreateUserBody, User } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { ListView } from '../live/list-view.tsx'
import { useAction, useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { Refusal } from './refusal.tsx'
import { SignInLinkDialog } from './sign-in-link.tsx'

type Asked = { readonly what: 'link' | 'sessions' | 'delete'; readonly user: User }

/** The tab. */
export function PeopleTab() {
  const [address, setAddress] = useAddress({ sort: '', create: '' })
  const [asked, setAsked] = useState<Asked>()
  const list = useList('user', client.users.list, {}, { every: 30_000 })
  const now = useNow()
  const close = () => setAsked(undefined)
  return (
    <div className="stack">
      <div className="row">
        <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
          Add a person
        </Button>
      </div>
      <ListView name="People" list={list} columns={columnsAt(now, setAsked)} keyOf={({ id }) => id} />
      {address.create === '' ? null : <AddDialog onClose={() => setAddress({ create: '' })} />}
      {asked?.what === 'link' ? <SignInLinkDialog user={asked.user} onClose={close} /> : null}
      {asked && asked.what !== 'link' ? <EndDialog what={asked.what} user={asked.user} onClose={close} /> : null}
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

function AddDialog({ onClose }: { onClose: () => void }) {
  const [body, setBody] = useState<CreateUserBody>({ email: '' })
  const set = (fields: Partial<CreateUserBody>) => setBody({ ...body, ...fields })
  const add = useAction((given: CreateUserBody) => client.users.create(given), {
    nouns: ['user'],
    onDone: ({ name }) => {
      say(`Added ${name}. Give a role and make a sign-in link next.`)
      onClose()
    },
  })
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')) as CreateUserBody
  const input = (name: keyof CreateUserBody, label: string, hint?: string) => (
    <Field label={label} name={name} error={add.error} hint={hint}>
      <input
        value={body[name] ?? ''}
        required={name === 'email'}
        onChange={({ target }) => set({ [name]: target.value })}
      />
    </Field>
  )
  return (
    <Dialog title="Add a person" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          add.run({ ...given, email: body.email })
        }}
      >
        {input('email', 'E-mail')}
        {input('name', 'Name', 'A short name without spaces. Empty: the server chooses one.')}
        {input('first_name', 'First name')}
        {input('last_name', 'Last name')}
        <Refusal error={add.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={add.isRunning}>
            Add
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function EndDialog({ what, user, onClose }: { what: 'sessions' | 'delete'; user: User; onClose: () => void }) {
  const isRemoval = what === 'delete'
  const end = useAction(
    async () => {
      if (isRemoval) await client.users.delete(user.id)
      else await client.users.endSessions(user.id)
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
      error={end.error}
    >
      <p>
        {isRemoval
          ? 'Grants, sessions and sign-in links of this person end at once. Tokens of programs stay.'
          : 'Every browser and program that is signed in as this person is signed out. Open sign-in links end too.'}
      </p>
    </ConfirmDialog>
  )
}
