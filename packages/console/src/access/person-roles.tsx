/** The roles of one person: what they have, what they get, what they lose. */
import type { Grant, User } from '@bourse/sdk'
import { createGrant } from '../generated/forms/access.ts'
import { client } from '../live/client.ts'
import { Fields } from '../live/forms/fields.tsx'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { useForm } from '../live/forms/use-form.ts'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction, useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { say } from '../ui/toasts.tsx'

const nouns: readonly Noun[] = ['grant', 'permission']

/** The dialog. A new role is given before an old one is taken away, so that nobody is without rights in between. */
export function PersonRoles({ user, onClose }: { user: User; onClose: () => void }) {
  const grants = useRead(['grant', 'of', user.id], () =>
    client.grants.list({ principal_id: user.id, limit: 200 }).all({ max: 200 }),
  )
  const take = useAction((grant: Grant) => client.grants.delete(grant.id), {
    nouns,
    onDone: (_, grant) => say(`Took ${grant.role.name} from ${user.name}.`),
  })
  const form = useForm(createGrant, {
    initial: { principal_type: 'user', principal_id: user.id },
    nouns,
    onDone: ({ role }) => say(`${user.name} has the role ${role.name}.`),
  })
  return (
    <Dialog title={`Roles of ${user.name}`} isOpen onClose={onClose}>
      <FormFrame form={form} action="Give the role" cancel="Close" onClose={onClose}>
        <ErrorText error={grants.error} />
        {grants.isPending && !grants.error ? <Loading /> : null}
        <Held grants={grants.data ?? []} isBusy={take.isRunning} onTake={take.run} />
        <ErrorText error={take.error} />
        <Fields of={form} names={['role', { name: 'workspace', empty: 'The whole account' }]} />
      </FormFrame>
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
