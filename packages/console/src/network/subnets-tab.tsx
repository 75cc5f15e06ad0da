/** Subnets: private networks of the instances of one workspace in one region. */
import type { CreateSubnetBody, WorkspaceRef } from '@bourse/sdk'
import { useState } from 'react'
import { WorkspaceFilter } from '../access/filters.tsx'
import { subnets } from '../generated/rows/network.ts'
import { client } from '../live/client.ts'
import { columnsOf } from '../live/lists/columns.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { useAction } from '../live/queries.ts'
import { sentTags } from '../live/tags.rules.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Empty } from '../ui/page.tsx'
import { say } from '../ui/toasts.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { NameField, SkuValueField, TagsField, WorkspaceField } from './network-fields.tsx'

const about = `Without one, each instance is alone in a private network of its own.
With one, instances reach each other by private addresses.`

const columns = columnsOf(
  subnets,
  ['name', 'workspace', 'region', 'cidr', 'available_addresses', 'tags', 'created_at'],
  ['id'],
)

/** The tab. */
export function SubnetsTab() {
  return (
    <ListTab
      name="Subnets"
      operation="list_subnets"
      every={15_000}
      columns={columns}
      filters={{ workspace: WorkspaceFilter }}
      create={{ label: 'Create a subnet', dialog: (close) => <CreateDialog isOpen onClose={close} /> }}
      empty={
        <Empty title="No subnet" command="bourse subnets create --name storage --region us-west">
          {about}
        </Empty>
      }
      opened={(subnet, close) => (
        <EditDialog
          row={subnet}
          what="subnet"
          noun="subnet"
          field="subnet"
          onUpdate={(body) => client.subnets.update(subnet.id, body)}
          onDelete={() => client.subnets.delete(subnet.id)}
          onClose={close}
        />
      )}
    />
  )
}

function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const [workspace, setWorkspace] = useState('')
  const [region, setRegion] = useState('')
  const [cidr, setCidr] = useState('')
  const [tags, setTags] = useState('')
  const create = useAction((body: CreateSubnetBody) => client.subnets.create(body), {
    nouns: ['subnet'],
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
      ...(cidr.trim() === '' ? {} : { cidr: cidr.trim() }),
      region,
      ...(found ? { tags: found } : {}),
    })
  }
  return (
    <Dialog title="Create a subnet" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <NameField value={name} onChange={setName} error={create.error} />
        <WorkspaceField value={workspace} onChange={setWorkspace} error={create.error} />
        <SkuValueField label="Region" property="region" value={region} onChange={setRegion} error={create.error} />
        <Field
          label="Network"
          name="cidr"
          error={create.error}
          hint="A private IPv4 network with a prefix of 16 to 28 bits. Empty: the first free /20 of 10.64.0.0/10."
        >
          <input
            value={cidr}
            onChange={({ target }) => setCidr(target.value)}
            placeholder="10.80.0.0/20"
            maxLength={18}
          />
        </Field>
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
