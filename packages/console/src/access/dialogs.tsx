/** The dialogs of people, grants and roles. */
import type { Grant, Role, User } from '@bourse/sdk'
import { useState } from 'react'
import { createGrant, createUser, updateUser } from '../generated/forms/access.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { kindOf, PrincipalInput } from './principals.tsx'

type AccessDialogProps = { onClose: () => void }

const nameHint = 'A short name without spaces.'

/** A new person, or other names of one. The address of a person never changes: another one is another person. */
export function PersonDialog({ user, onClose }: AccessDialogProps & { user?: User }) {
  if (!user) {
    return (
      <OperationDialog
        form={createUser}
        title="Add a person"
        action="Add"
        fields={[
          'email',
          { name: 'name', hint: `${nameHint} Empty: the server chooses one.` },
          'first_name',
          'last_name',
        ]}
        nouns={['user']}
        said={({ name }) => `Added ${name}. Give a role and make a sign-in link next.`}
        onClose={onClose}
      />
    )
  }
  return (
    <OperationDialog
      form={updateUser}
      title={`Change ${user.name}`}
      action="Save"
      params={{ id: user.id }}
      before={user}
      about={<p>{user.email}</p>}
      fields={[{ name: 'name', hint: nameHint }, 'first_name', 'last_name']}
      nouns={['user']}
      said={({ name }) => `Changed ${name}.`}
      onClose={onClose}
    />
  )
}

/** Gives a role to a person or a token. */
export function GiveDialog({ onClose }: AccessDialogProps) {
  return (
    <OperationDialog
      form={createGrant}
      title="Give a role"
      action="Give"
      draft="give-role"
      fields={[
        { name: 'principal_id', label: 'Who', hint: '', input: PrincipalInput },
        'role',
        { name: 'workspace', empty: 'The whole account' },
      ]}
      finish={(body, { principal_id = '' }) => ({ ...body, principal_type: kindOf(principal_id) })}
      nouns={['grant', 'permission']}
      said={({ role }) => `Gave the role ${role.name}.`}
      onClose={onClose}
    >
      <p className="quiet small">
        In the whole account, a role holds in all workspaces, also future ones, and for people, money and webhooks.
      </p>
    </OperationDialog>
  )
}

/** Takes a role away. */
export function EndGrantDialog({ grant, name, onClose }: AccessDialogProps & { grant: Grant; name: string }) {
  return (
    <ConfirmOperation
      operation="delete_grant"
      params={{ id: grant.id }}
      title={`Take ${grant.role.name} from ${name}?`}
      action="Take away"
      nouns={['grant', 'permission']}
      said={`Took ${grant.role.name} from ${name}.`}
      onClose={onClose}
    >
      <p>It holds at once. Other grants of {name} stay.</p>
    </ConfirmOperation>
  )
}

/** Deletes a role. */
export function DeleteRoleDialog({ role, onClose }: AccessDialogProps & { role: Role }) {
  return (
    <ConfirmOperation
      operation="delete_role"
      params={{ id: role.id }}
      title={`Delete ${role.name}?`}
      action="Delete"
      nouns={['role']}
      said={`Deleted ${role.name}.`}
      onClose={onClose}
    >
      <p>It is refused while someone holds the role.</p>
    </ConfirmOperation>
  )
}

/** Removes a person. */
export function RemovePersonDialog({ user, onClose }: AccessDialogProps & { user: User }) {
  return (
    <ConfirmOperation
      operation="delete_user"
      params={{ id: user.id }}
      title={`Remove ${user.name}?`}
      action="Remove"
      nouns={['user', 'grant', 'token']}
      said={`Removed ${user.name}.`}
      onClose={onClose}
    >
      <p>Grants, sessions and sign-in links of this person end at once. Tokens of programs stay.</p>
    </ConfirmOperation>
  )
}

/** Signs a person out everywhere. */
export function EndSessionsDialog({ user, onClose }: AccessDialogProps & { user: User }) {
  const [cascade, setCascade] = useState(false)
  return (
    <ConfirmOperation
      operation="end_user_sessions"
      params={{ id: user.id }}
      input={cascade ? { cascade } : undefined}
      title={`End all sessions of ${user.name}?`}
      action="End sessions"
      nouns={['user', 'grant', 'token']}
      said={`Ended the sessions of ${user.name}.`}
      onClose={onClose}
    >
      <p>Every browser and program that is signed in as this person is signed out. Open sign-in links end too.</p>
      <label>
        <input type="checkbox" checked={cascade} onChange={({ target }) => setCascade(target.checked)} /> Also end what
        was made in them: tokens, links, passkeys, further sessions, and what was made with those
      </label>
    </ConfirmOperation>
  )
}
