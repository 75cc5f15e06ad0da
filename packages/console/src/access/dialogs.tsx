/** The dialogs of people, grants and roles. */
import type { Grant, Role, User } from '@bourse/sdk'
import { createGrant, updateUser } from '../generated/forms/access.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { kindOf, PrincipalInput } from './principals.tsx'

type AccessDialogProps = { onClose: () => void }

/** Other names of a person. The address never changes: another one is another person. */
export function ChangePerson({ user, onClose }: AccessDialogProps & { user: User }) {
  return (
    <OperationDialog
      form={updateUser}
      title={`Change ${user.name}`}
      action="Save"
      params={{ id: user.id }}
      before={user}
      about={<p>{user.email}</p>}
      fields={['name', 'first_name', 'last_name']}
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
        { name: 'principal_id', label: 'Who', input: PrincipalInput },
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
