/** The SSH keys of people and programs: add one's own, delete. */
import type { DeletedSshKey, SshKey } from '@bourse/sdk'
import { lazy, useState } from 'react'
import { sshKeys } from '../generated/rows/access.ts'
import { useAll } from '../live/all.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Loading } from '../ui/page.tsx'
import { cut } from '../ui/table.rules.ts'
import { holdersOf } from './key-holders.rules.ts'

const AddSshKey = lazy(() => import('./add-ssh-key.tsx').then(({ AddSshKey: dialog }) => ({ default: dialog })))

/** The tab. */
export function SshKeysTab() {
  const [ended, setEnded] = useState<SshKey>()
  const [deleted, setDeleted] = useState<DeletedSshKey>()
  const close = () => setEnded(undefined)
  return (
    <ListTab
      name="SSH keys"
      operation="list_ssh_keys"
      every={30_000}
      columns={columnsWith(setEnded)}
      create={{ label: 'Add an SSH key', dialog: (done) => <AddSshKey onClose={done} /> }}
      empty={{
        title: 'No SSH key',
        command: 'bourse ssh-keys add ~/.ssh/id_ed25519.pub',
        text: 'Instances open to the keys of whoever creates them. Add the public half of yours.',
      }}
    >
      {ended ? (
        <ConfirmOperation
          operation="delete_ssh_key"
          params={{ id: ended.id }}
          title={`Delete the key ${ended.name}?`}
          action="Delete the key"
          nouns={['ssh_key', 'instance']}
          said={`Deleted ${ended.name}.`}
          onDone={(response) => {
            close()
            if (response.instances.length > 0) setDeleted(response)
          }}
          onClose={close}
        >
          <p>New instances no longer get it. It is taken out of running ones whose image has the QEMU guest agent.</p>
          <Holders sshKey={ended} />
        </ConfirmOperation>
      ) : null}
      {deleted ? <LeftDialog deleted={deleted} onClose={() => setDeleted(undefined)} /> : null}
    </ListTab>
  )
}

const namedMax = 20

/** The machines that have a key, so that nobody is shut out by surprise. */
function Holders({ sshKey }: { sshKey: SshKey }) {
  const { data, error } = useAll('list_instances', { state: ['awaiting_allocation', 'running'] })
  if (error) return <p className="quiet">Which machines have it cannot be seen here.</p>
  if (!data) return <Loading />
  const { shown, more } = cut(holdersOf(sshKey.id, data), namedMax)
  if (shown.length === 0) return <p className="quiet">No machine has it.</p>
  return (
    <>
      <h3>It opens these machines</h3>
      <ul aria-label="Machines with the key">
        {shown.map(({ id, name, isOnly }) => (
          <li key={id}>
            <bdi>{name}</bdi>
            {isOnly ? <span className="warn"> · its only key</span> : null}
          </li>
        ))}
        {more > 0 ? <li>and {more} more</li> : null}
      </ul>
    </>
  )
}

const removals = { requested: 'is being taken out', impossible: 'stays: replace the instance' }

/** The machines that had a deleted key. */
function LeftDialog({ deleted, onClose }: { deleted: DeletedSshKey; onClose: () => void }) {
  return (
    <Dialog title="The key was in these machines" isOpen onClose={onClose}>
      <ul>
        {deleted.instances.map(({ id, name, removal }) => (
          <li key={id}>
            {name}: it {removals[removal]}
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function columnsWith(end: (key: SshKey) => void) {
  return columnsOf(
    sshKeys,
    [
      'name',
      { id: 'whose', title: 'Whose', value: ({ owner }) => owner.name },
      { of: 'key_type', title: 'Type' },
      { of: 'fingerprint', cell: ({ fingerprint }) => <code>{fingerprint}</code> },
      { of: 'created_at', title: 'Added' },
      {
        id: 'actions',
        title: 'Actions',
        cell: (row) => (
          <Button kind="plain" onClick={() => end(row)} aria-label={`Delete the key ${row.name}`}>
            Delete
          </Button>
        ),
      },
    ],
    ['id'],
  )
}
