/** The form of a person: a new one, or other names of one. */
import type { CreateUserBody, User } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'
import { Refusal } from './refusal.tsx'

type Names = { email: string; name: string; first_name: string; last_name: string }

/** The dialog. The address of a person never changes: another one is another person. */
export function PersonDialog({ user, onClose }: { user?: User; onClose: () => void }) {
  const [fields, setFields] = useState<Names>(() => namesOf(user))
  const save = useAction(
    (given: Names) => (user ? client.users.update(user.id, changed(given)) : client.users.create(created(given))),
    {
      nouns: ['user'],
      onDone: ({ name }) => {
        say(user ? `Changed ${name}.` : `Added ${name}. Give a role and make a sign-in link next.`)
        onClose()
      },
    },
  )
  const input = (name: keyof Names, label: string, hint?: string) => (
    <Field label={label} name={name} error={save.error} hint={hint}>
      <input
        value={fields[name]}
        required={name === 'email' || (name === 'name' && user !== undefined)}
        onChange={({ target }) => setFields({ ...fields, [name]: target.value })}
      />
    </Field>
  )
  return (
    <Dialog title={user ? `Change ${user.name}` : 'Add a person'} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.run(fields)
        }}
      >
        {user ? <p>{user.email}</p> : input('email', 'E-mail')}
        {input('name', 'Name', `A short name without spaces.${user ? '' : ' Empty: the server chooses one.'}`)}
        {input('first_name', 'First name')}
        {input('last_name', 'Last name')}
        <Refusal error={save.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isRunning}>
            {user ? 'Save' : 'Add'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function namesOf(user: User | undefined): Names {
  return {
    email: user?.email ?? '',
    name: user?.name ?? '',
    first_name: user?.first_name ?? '',
    last_name: user?.last_name ?? '',
  }
}

function created({ email, ...names }: Names): CreateUserBody {
  return { email, ...Object.fromEntries(Object.entries(names).filter(([, value]) => value !== '')) }
}

function changed({ name, first_name, last_name }: Names) {
  return { name, first_name: first_name || null, last_name: last_name || null }
}
