/** The roles of one person: what they have, what they get, what they lose. */
import type { CreateGrantBody, Grant, RoleRef, User, WorkspaceRef } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { say } from '../ui/toasts.tsx'
import { RoleField, WorkspaceField } from './principals.tsx'
import { Refusal } from './refusal.tsx'

const nouns: readonly Noun[] = ['grant', 'permission']

/** The dialog. A new role is given before an old one is taken away, so that nobody is without rights in between. */
export function PersonRoles({ user, onClose }: { user: User; onClose: () => void }) {
  const grants = useRead(['grant', 'of', user.id], () =>
    client.grants.list({ principal_id: user.id, limit: 200 }).all({ max: 200 }),
  )
  const [role, setRole] = useState('')
  const [workspace, setWorkspace] = useState('')
  const give = useAction((body: CreateGrantBody) => client.grants.create(body), {
    nouns,
    onDone: ({ role: given }) => {
      say(`${user.name} has the role ${given.name}.`)
      setRole('')
    },
  })
  const take = useAction((grant: Grant) => client.grants.delete(grant.id), {
    nouns,
    onDone: (_, grant) => say(`Took ${grant.role.name} from ${user.name}.`),
  })
  const submit = () => {
    const place = workspace === '' ? {} : { workspace: workspace as WorkspaceRef }
    give.run({ principal_type: 'user', principal_id: user.id, role: role as RoleRef, ...place })
  }
  return (
    <Dialog title={`Roles of ${user.name}`} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <ErrorText error={grants.error} />
        {grants.isPending && !grants.error ? <Loading /> : null}
        <Held grants={grants.data ?? []} isBusy={take.isRunning} onTake={take.run} />
        <Refusal error={take.error} />
        <RoleField value={role} onChange={setRole} error={give.error} />
        <WorkspaceField value={workspace} onChange={setWorkspace} error={give.error} all="The whole account" />
        <Refusal error={give.error} />
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" isBusy={give.isRunning}>
            Give the role
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type HeldProps = { grants: readonly Grant[]; isBusy: boolean; onTake: (grant: Grant) => void }

function Held({ grants, isBusy, onTake }: HeldProps) {
  if (grants.length === 0) return <p className="quiet">No role: this person may do nothing.</p>
  return (
    <ul aria-label="Roles">
      {grants.map((grant) => (
        <li key={grant.id}>
          <b>{grant.role.name}</b> in <bdi>{grant.workspace?.name ?? 'the whole account'}</bdi>{' '}
          <Button
            kind="plain"
            disabled={isBusy}
            onClick={() => onTake(grant)}
            aria-label={`Take away ${grant.role.name}`}
          >
            Take away
          </Button>
        </li>
      ))}
    </ul>
  )
}
