/** InfiniBand partitions: isolated groups of machines on one fabric. */
import type { CreateInfinibandPartitionBody, WorkspaceRef } from '@bourse/sdk'
import { useState } from 'react'
import { WorkspaceFilter } from '../access/filters.tsx'
import { infinibandPartitions } from '../generated/rows/network.ts'
import { client } from '../live/client.ts'
import { columnsOf } from '../live/lists/columns.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { useAction } from '../live/queries.ts'
import { sentTags } from '../live/tags.rules.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Empty } from '../ui/page.tsx'
import { say } from '../ui/toasts.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { NameField, SkuValueField, TagsField, WorkspaceField } from './network-fields.tsx'

const about = `Machines of one partition reach each other over InfiniBand, and machines of others do not.
It lies on the fabric of a SKU.`

const columns = columnsOf(
  infinibandPartitions,
  ['name', 'workspace', 'infiniband_fabric', 'tags', 'created_at'],
  ['id'],
)

/** The tab. */
export function PartitionsTab() {
  return (
    <ListTab
      name="InfiniBand partitions"
      operation="list_infiniband_partitions"
      every={15_000}
      columns={columns}
      filters={{ workspace: WorkspaceFilter }}
      create={{ label: 'Create a partition', dialog: (close) => <CreateDialog isOpen onClose={close} /> }}
      empty={
        <Empty
          title="No partition"
          command="bourse infiniband-partitions create --name sweeps --infiniband-fabric west-ib"
        >
          {about}
        </Empty>
      }
      opened={(partition, close) => (
        <EditDialog
          row={partition}
          what="partition"
          noun="infiniband_partition"
          field="_preview_infiniband_partition"
          onUpdate={(body) => client.infinibandPartitions.update(partition.id, body)}
          onDelete={() => client.infinibandPartitions.delete(partition.id)}
          onClose={close}
        />
      )}
    />
  )
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
