/** Subnets: private networks of the instances of one workspace in one region. */
import type { CreateSubnetBody, Subnet, WorkspaceRef } from '@bourse/sdk'
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
import { Field } from '../ui/field.tsx'
import { Empty } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { countText } from '../ui/values.rules.ts'
import { Age, Copyable } from '../ui/values.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { NameField, SkuValueField, TagsField, WorkspaceField } from './network-fields.tsx'

const about = `Without one, each instance is alone in a private network of its own.
With one, instances reach each other by private addresses.`

/** The tab. */
export function SubnetsTab() {
  const [address, setAddress] = useAddress({ sort: '', open: '', create: '', workspace: '' })
  const list = useList('list_subnets', { workspace: address.workspace }, { every: 15_000 })
  const now = useNow()
  const opened = list.rows.find(({ id }) => id === address.open)
  return (
    <div className="stack">
      <div className="row">
        <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
          Create a subnet
        </Button>
        <WorkspaceFilter value={address.workspace} onChange={(workspace) => setAddress({ workspace })} />
      </div>
      <ListView
        name="Subnets"
        list={list}
        columns={columnsAt(now, (id) => setAddress({ open: id }, { push: true }))}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setAddress({ open: id }, { push: true })}
        empty={
          address.workspace === '' ? (
            <Empty title="No subnet" command="bourse subnets create --name storage --region us-west">
              {about}
            </Empty>
          ) : undefined
        }
      />
      {opened ? (
        <EditDialog
          key={opened.id}
          row={opened}
          what="subnet"
          noun="subnet"
          field="subnet"
          onUpdate={(body) => client.subnets.update(opened.id, body)}
          onDelete={() => client.subnets.delete(opened.id)}
          onClose={() => setAddress({ open: '' })}
        />
      ) : null}
      <CreateDialog isOpen={address.create !== ''} onClose={() => setAddress({ create: '' })} />
    </div>
  )
}

function columnsAt(now: number, open: (id: string) => void): readonly Column<Subnet>[] {
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
    { id: 'region', title: 'Region', value: ({ region }) => region, cell: ({ region }) => region },
    {
      id: 'cidr',
      title: 'Network',
      value: ({ cidr }) => cidr,
      cell: ({ cidr }) => <span className="mono">{cidr}</span>,
    },
    {
      id: 'available_addresses',
      title: 'Free addresses',
      isNumber: true,
      value: (row) => row.available_addresses,
      cell: (row) => countText(row.available_addresses),
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
