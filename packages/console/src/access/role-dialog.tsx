/** The form of a role: its name and its rights. */
import { permissionVerbs } from '@bourse/api/kit/permissions.ts'
import type { Role } from '@bourse/sdk'
import { useState } from 'react'
import { createRole, updateRole } from '../generated/forms/access.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { hasWildcards, permissionsOf, policyOf } from './rights.rules.ts'
import { RightsChoice, roleKinds } from './rights-matrix.tsx'

const all = { kinds: roleKinds, verbs: permissionVerbs }
const about = 'policy.description'

/** The dialog, for a new role or an existing one. */
export function RoleDialog({ role, onClose }: { role?: Role; onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => (role ? permissionsOf(role, all) : new Set()))
  const shared = {
    isWide: true,
    fields: ['name', { name: about, label: 'Description' }],
    extras: { [about]: role?.policy.description ?? '' },
    finish: (_: object, typed: Readonly<Record<string, string>>) => ({
      name: typed.name,
      policy: policyOf(chosen, typed[about] ?? ''),
    }),
    isBlocked: chosen.size === 0,
    nouns: ['role', 'permission', 'grant'],
    onClose,
    children: <RightsChoice chosen={chosen} onChange={setChosen} />,
  } as const
  if (!role) {
    return (
      <OperationDialog
        form={createRole}
        title="Create a role"
        action="Create"
        said={({ name }) => `Created the role ${name}.`}
        {...shared}
      />
    )
  }
  return (
    <OperationDialog
      form={updateRole}
      title={`Change the role ${role.name}`}
      action="Save"
      params={{ id: role.id }}
      before={role}
      about={
        <>
          <p>Whoever has the role has the new rights at once.</p>
          {hasWildcards(role) ? (
            <p className="warn">
              It says “all” somewhere. Saved here, it says each right by itself, without future ones.
            </p>
          ) : null}
        </>
      }
      said={({ name }) => `Changed the role ${name}.`}
      {...shared}
    />
  )
}
