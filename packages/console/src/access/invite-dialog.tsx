/** Adds a person: the person, a role and the link that lets them in, in one step. */
import type { SignInLink, User } from '@bourse/sdk'
import { useRef, useState } from 'react'
import { createUser } from '../generated/forms/access.ts'
import { client } from '../live/client.ts'
import { Fields, type InputProps, ThingChoice } from '../live/forms/fields.tsx'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { useForm } from '../live/forms/use-form.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { LinkShown } from './sign-in-link.tsx'

/** The dialog. Where the person is there and the rest fails, the rest is tried again. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [user, setUser] = useState<User>()
  const [link, setLink] = useState<SignInLink>()
  const hasRole = useRef(false)
  const invite = useAction(
    async ({ user: { id }, role }: { user: User; role: string }) => {
      if (role !== '' && !hasRole.current) {
        await client.grants.create({ principal_type: 'user', principal_id: id, role: role as 'role_viewer' })
        hasRole.current = true
      }
      return client.users.createSignInLink(id)
    },
    { nouns: ['grant', 'permission'], onDone: setLink },
  )
  const form = useForm(createUser, {
    extras: { role: 'role_viewer' },
    nouns: ['user'],
    onDone: (made) => {
      setUser(made)
      invite.run({ user: made, role: form.typed.role })
    },
  })
  if (user && link) return <LinkShown name={user.name} link={link} onClose={onClose} />
  if (user) {
    return (
      <Dialog title={`Add ${user.name}`} isOpen onClose={onClose}>
        {invite.error ? <p>The person is added, and cannot come in yet.</p> : <Loading />}
        <ErrorText error={invite.error} />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" isBusy={invite.isRunning} onClick={() => invite.run({ user, role: form.typed.role })}>
            Try again
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog title="Add a person" isOpen onClose={onClose}>
      <FormFrame form={form} action="Add and make a link" onClose={onClose}>
        <Fields
          of={form}
          names={[
            'email',
            { name: 'role', label: 'Role in the whole account', input: RoleInput },
            'name',
            'first_name',
            'last_name',
          ]}
        />
      </FormFrame>
    </Dialog>
  )
}

function RoleInput(props: InputProps) {
  return <ThingChoice kind="role" {...props} empty="None yet: the person may do nothing" />
}
