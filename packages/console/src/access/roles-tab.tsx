/** Roles and what they allow; roles of one's own can be changed and deleted. */
import type { Role } from '@bourse/sdk'
import { useState } from 'react'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { DeleteRoleDialog } from './dialogs.tsx'
import { roleLines } from './rights.rules.ts'
import { RoleDialog } from './role-dialog.tsx'

/** The tab. */
export function RolesTab() {
  const [address, setAddress] = useAddress({ create: '' })
  const [deleted, setDeleted] = useState<Role>()
  const [changed, setChanged] = useState<Role>()
  const list = useList('list_roles', {}, { every: 60_000 })
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
              <div className="row">
                <Button onClick={() => setChanged(role)}>Change</Button>
                <Button kind="danger" onClick={() => setDeleted(role)}>
                  Delete
                </Button>
              </div>
            ) : null}
          </section>
        ))}
      </div>
      {list.more.hasMore ? <Button onClick={list.more.again ?? list.more.load}>Show more</Button> : null}
      {address.create === '' ? null : <RoleDialog onClose={() => setAddress({ create: '' })} />}
      {changed ? <RoleDialog role={changed} onClose={() => setChanged(undefined)} /> : null}
      {deleted ? <DeleteRoleDialog role={deleted} onClose={() => setDeleted(undefined)} /> : null}
    </div>
  )
}
