/** The form of a role: its name and its rights. */
import { permissionResources, permissionVerbs } from '@bourse/api/kit/permissions.ts'
import type { Role } from '@bourse/sdk'
import { useState } from 'react'
import { createRole, updateRole } from '../generated/forms/access.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import styles from './access.module.css'
import { hasWildcards, permissionsOf, policyOf } from './rights.rules.ts'

const kinds = permissionResources.filter((kind) => kind !== 'platform')
const all = { kinds, verbs: permissionVerbs }
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
    children: <Matrix chosen={chosen} onChange={setChosen} />,
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

type MatrixProps = { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void }

/** A checkbox for each right. */
function Matrix({ chosen, onChange }: MatrixProps) {
  const toggle = (permission: string) => {
    const next = new Set(chosen)
    if (!next.delete(permission)) next.add(permission)
    onChange(next)
  }
  return (
    <div className={styles.scroll}>
      <table className={styles.matrix} aria-label="Rights">
        <thead>
          <tr>
            <th scope="col">On</th>
            {permissionVerbs.map((verb) => (
              <th key={verb} scope="col">
                {verb}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{kind.replaceAll('_', ' ')}</th>
              {permissionVerbs.map((verb) => (
                <td key={verb}>
                  <input
                    type="checkbox"
                    aria-label={`${verb} ${kind.replaceAll('_', ' ')}`}
                    checked={chosen.has(`${kind}:${verb}`)}
                    onChange={() => toggle(`${kind}:${verb}`)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
