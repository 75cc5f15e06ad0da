/** The form of a role: its name and its rights. */
import { permissionResources, permissionVerbs } from '@bourse/api/kit/permissions.ts'
import type { CreateRoleBody, Role } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'
import styles from './access.module.css'
import { Refusal } from './refusal.tsx'
import { hasWildcards, permissionsOf, policyOf } from './rights.rules.ts'

const kinds = permissionResources.filter((kind) => kind !== 'platform')
const all = { kinds, verbs: permissionVerbs }

/** The dialog, for a new role or an existing one. */
export function RoleDialog({ role, onClose }: { role?: Role; onClose: () => void }) {
  const [name, setName] = useState(role?.name ?? '')
  const [description, setDescription] = useState(role?.policy.description ?? '')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => (role ? permissionsOf(role, all) : new Set()))
  const save = useAction(
    (body: CreateRoleBody) => (role ? client.roles.update(role.id, body) : client.roles.create(body)),
    {
      nouns: ['role', 'permission', 'grant'],
      onDone: (saved) => {
        say(role ? `Changed the role ${saved.name}.` : `Created the role ${saved.name}.`)
        onClose()
      },
    },
  )
  return (
    <Dialog title={role ? `Change the role ${role.name}` : 'Create a role'} isOpen isWide onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.run({ name, policy: policyOf(chosen, description) })
        }}
      >
        {role ? <p>Whoever has the role has the new rights at once.</p> : null}
        {role && hasWildcards(role) ? (
          <p className="warn">
            It says “all” somewhere. Saved here, it says each right by itself, without future ones.
          </p>
        ) : null}
        <Field label="Name" name="name" error={save.error}>
          <input value={name} required maxLength={255} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="Description" name="policy.description" error={save.error}>
          <input value={description} maxLength={255} onChange={({ target }) => setDescription(target.value)} />
        </Field>
        <Matrix chosen={chosen} onChange={setChosen} />
        <Refusal error={save.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isRunning} disabled={chosen.size === 0}>
            {role ? 'Save' : 'Create'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
