/** The dialogs of pools: create, change, delete, and where else one shows. */
import type { Pool } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { createPool, updatePool } from '../../generated/forms/fleet.ts'
import { pools } from '../../generated/rows/fleet.ts'
import { EditDialog } from '../../live/forms/edit-dialog.tsx'
import { OperationDialog } from '../../live/forms/form-dialog.tsx'
import { columnsOf } from '../../live/lists/columns.ts'
import { Details } from '../../live/lists/details.tsx'
import type { Noun } from '../../live/nouns.rules.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { poolKinds } from './pool-names.ts'

const nouns: readonly Noun[] = ['pool', 'limit']

/** A new pool, which owns nothing yet. */
export function CreatePool({ onClose, onDone }: { onClose: () => void; onDone: (made: Pool) => void }) {
  return (
    <OperationDialog
      form={createPool}
      title="Create a pool"
      action="Create"
      fields={['name', 'workspace', 'tags']}
      nouns={nouns}
      said={({ name }) => `Created the pool ${name}.`}
      onClose={onClose}
      onDone={onDone}
    >
      <p className="quiet small">It owns nothing at first: buy node-hours for it, or move nodes of another pool.</p>
    </OperationDialog>
  )
}

const facts = columnsOf(pools, ['id', { of: 'kind', value: ({ kind }) => poolKinds[kind] }, 'workspace', 'created_at'])

/** One pool. The pools of hosts and of the operator are as they are. */
export function PoolDialog({ pool, onClose }: { pool: Pool; onClose: () => void }) {
  const { id, kind, name } = pool
  const about = (
    <>
      <Details columns={facts} row={pool} />
      <Automations pool={pool} />
      <p className="row">
        <Link to="/calendar">Calendar</Link>
        <Link to="/orders" search={{ pool: id, view: 'all' }}>
          Orders
        </Link>
        {kind === 'originating' ? null : (
          <Link to="/instances" search={{ pool: id }}>
            Instances
          </Link>
        )}
        {kind === 'read_only' ? null : (
          <Link to="/pools" search={{ tab: 'transfers', create: '1', from: id }}>
            Move nodes
          </Link>
        )}
        {kind === 'market' ? (
          <Link to="/ticket" search={{ side: 'buy', pool: id }}>
            Buy for it
          </Link>
        ) : null}
      </p>
    </>
  )
  if (kind !== 'market') {
    return (
      <Dialog title={name} isOpen onClose={onClose}>
        {about}
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <EditDialog
      form={updatePool}
      remove="delete_pool"
      row={pool}
      fields={['name', 'tags']}
      nouns={nouns}
      deletion="It is refused while the pool has an open order, nodes to come, a living instance or an automation."
      onClose={onClose}
    >
      {about}
    </EditDialog>
  )
}

function Automations({ pool: { procurements, deployments } }: { pool: Pool }) {
  if (procurements.length + deployments.length === 0) return null
  return (
    <ul>
      {procurements.map(({ id, name }) => (
        <li key={id}>
          procurement{' '}
          <Link to="/procurements/$id" params={{ id }}>
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
      {deployments.map(({ id, name }) => (
        <li key={id}>
          deployment{' '}
          <Link to="/deployments/$id" params={{ id }}>
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}
