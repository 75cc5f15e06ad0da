/** InfiniBand partitions: isolated groups of machines on one fabric. */
import type { CreateInfinibandPartitionBody, InfinibandPartition, WorkspaceRef } from '@bourse/sdk'
import { useState } from 'react'
import { WorkspaceFilter } from '../access/filters.tsx'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { ListView } from '../live/list-view.tsx'
import { useAction, useList } from '../live/queries.ts'
import { sentTags, tagsText } from '../live/tags.rules.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Empty } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { NameField, SkuValueField, TagsField, WorkspaceField } from './network-fields.tsx'

const about = `Machines of one partition reach each other over InfiniBand, and machines of others do not.
It lies on the fabric of a SKU.`

/** The tab. */
export function PartitionsTab() {
  const [address, setAddress] = useAddress({ sort: '', open: '', create: '', workspace: '' })
  const list = useList('list_infiniband_partitions', { workspace: address.workspace }, { every: 15_000 })
  const now = useNow()
  const opened = list.rows.find(({ id }) => id === address.open)
  return (
    <div className="stack">
      <div className="row">
        <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
          Create a partition
        </Button>
        <WorkspaceFilter value={address.workspace} onChange={(workspace) => setAddress({ workspace })} />
      </div>
      <ListView
        name="InfiniBand partitions"
        list={list}
        columns={columnsAt(now, (id) => setAddress({ open: id }, { push: true }))}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setAddress({ open: id }, { push: true })}
        empty={
          address.workspace === '' ? (
            <Empty
              title="No partition"
              command="bourse infiniband-partitions create --name sweeps --infiniband-fabric west-ib"
            >
              {about}
            </Empty>
          ) : undefined
        }
      />
      {opened ? (
        <EditDialog
          key={opened.id}
          row={opened}
          what="partition"
          noun="infiniband_partition"
          field="_preview_infiniband_partition"
          onUpdate={(body) => client.infinibandPartitions.update(opened.id, body)}
          onDelete={() => client.infinibandPartitions.delete(opened.id)}
          onClose={() => setAddress({ open: '' })}
        />
      ) : null}
      <CreateDialog isOpen={address.create !== ''} onClose={() => setAddress({ create: '' })} />
    </div>
  )
}

function columnsAt(now: number, open: (id: string) => void): readonly Column<InfinibandPartition>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <Button kind="plain" onClick={() => open(id)}>
          {name}
        </Button>
      ),
    },
    { id: 'workspace', title: 'Workspace', value: (row) => row.workspace.name, cell: (row) => row.workspace.name },
    {
      id: 'infiniband_fabric',
      title: 'Fabric',
      value: (row) => row.infiniband_fabric,
      cell: (row) => row.infiniband_fabric,
    },
    { id: 'tags', title: 'Tags', value: ({ tags }) => tagsText(tags), cell: ({ tags }) => tagsText(tags) || '–' },
    {
      id: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const [workspace, setWorkspace] = useState('')
  const [fabric, setFabric] = useState('')
  const [tags, setTags] = useState('')
  const create = useAction((body: CreateInfinibandPartitionBody) => client.infinibandPartitions.create(body), {
    nouns: ['infiniband_partition'],
    onDone: (made) => {
      say(`Created ${made.name}.`)
      onClose()
    },
  })
  const submit = () => {
    const found = sentTags(tags)
    create.run({
      ...(name === '' ? {} : { name }),
      ...(workspace === '' ? {} : { workspace: workspace as WorkspaceRef }),
      infiniband_fabric: fabric,
      ...(found ? { tags: found } : {}),
    })
  }
  return (
    <Dialog title="Create a partition" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <NameField value={name} onChange={setName} error={create.error} />
        <WorkspaceField value={workspace} onChange={setWorkspace} error={create.error} />
        <SkuValueField
          label="Fabric"
          property="infiniband_fabric"
          value={fabric}
          onChange={setFabric}
          error={create.error}
        />
        <TagsField value={tags} onChange={setTags} error={create.error} />
        <ErrorText error={create.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isRunning}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
