/** Roles and what they allow; roles of one's own from kinds of resources and verbs. */
import { permissionResources, permissionVerbs } from '@bourse/api/kit/permissions.ts'
import type { CreateRoleBody, Role } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAction, useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Loading } from '../ui/page.tsx'
import { say } from '../ui/toasts.tsx'
import styles from './access.module.css'
import { Refusal } from './refusal.tsx'
import { policyOf, roleLines } from './rights.rules.ts'

/** The tab. */
export function RolesTab() {
  const [address, setAddress] = useAddress({ create: '' })
  const [deleted, setDeleted] = useState<Role>()
  const list = useList('role', client.roles.list, {}, { every: 60_000 })
  return (
    <div className="stack">
      <div className="row">
        <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
          Create a role
        </Button>
      </div>
      <ErrorText error={list.error} />
      {list.isPending && !list.error ? <Loading /> : null}
      <div className="grid">
        {list.rows.map((role) => (
          <section key={role.id} className="card" aria-label={`Role ${role.name}`}>
            <div className="row">
              <h2>
                <bdi>{role.name}</bdi>
              </h2>
              <Badge word={role.role_type} />
            </div>
            <p>
              <bdi>{role.policy.description}</bdi>
            </p>
            <ul className="small">
              {roleLines(role).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {role.role_type === 'custom' ? (
              <Button kind="danger" onClick={() => setDeleted(role)}>
                Delete
              </Button>
            ) : null}
          </section>
        ))}
      </div>
      {list.hasMore ? <Button onClick={list.loadMore}>Show more</Button> : null}
      {address.create === '' ? null : <CreateDialog onClose={() => setAddress({ create: '' })} />}
      {deleted ? <DeleteRole role={deleted} onClose={() => setDeleted(undefined)} /> : null}
    </div>
  )
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const create = useAction((body: CreateRoleBody) => client.roles.create(body), {
    nouns: ['role'],
    onDone: (role) => {
      say(`Created the role ${role.name}.`)
      onClose()
    },
  })
  return (
    <Dialog title="Create a role" isOpen isWide onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.run({ name, policy: policyOf(chosen, description) })
        }}
      >
        <Field label="Name" name="name" error={create.error}>
          <input value={name} required maxLength={255} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field label="Description" name="policy.description" error={create.error}>
          <input value={description} maxLength={255} onChange={({ target }) => setDescription(target.value)} />
        </Field>
        <Matrix chosen={chosen} onChange={setChosen} />
        <Refusal error={create.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isRunning} disabled={chosen.size === 0}>
            Create
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
          {permissionResources
            .filter((kind) => kind !== 'platform')
            .map((kind) => (
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

function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const end = useAction(() => client.roles.delete(role.id), {
    nouns: ['role'],
    onDone: () => {
      say(`Deleted ${role.name}.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${role.name}?`}
      action="Delete"
      isOpen
      onClose={onClose}
      onConfirm={() => end.run(undefined)}
      isBusy={end.isRunning}
      error={end.error}
    >
      <p>It is refused while someone holds the role.</p>
    </ConfirmDialog>
  )
}
