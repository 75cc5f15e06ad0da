/** Firewalls: a list, and each with its rules as a table and in words. */
import type { CreateFirewallBody, Firewall, WorkspaceRef } from '@bourse/sdk'
import { useState } from 'react'
import { WorkspaceFilter } from '../access/filters.tsx'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { ListView } from '../live/list-view.tsx'
import { useAction, useList } from '../live/queries.ts'
import { sentTags } from '../live/tags.rules.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Empty } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { reachOf } from './firewall.rules.ts'
import { FirewallDialog } from './firewall-dialog.tsx'
import { NameField, TagsField, WorkspaceField } from './network-fields.tsx'

/** The tab. */
export function FirewallsTab() {
  const [address, setAddress] = useAddress({ sort: '', open: '', create: '', workspace: '' })
  const list = useList('list_firewalls', { workspace: address.workspace }, { every: 15_000 })
  const now = useNow()
  const opened = list.rows.find(({ id }) => id === address.open)
  const create = (
    <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
      Create a firewall
    </Button>
  )
  return (
    <div className="stack">
      <div className="row">
        {create}
        <WorkspaceFilter value={address.workspace} onChange={(workspace) => setAddress({ workspace })} />
      </div>
      <ListView
        name="Firewalls"
        list={list}
        columns={columnsAt(now, (id) => setAddress({ open: id }, { push: true }))}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setAddress({ open: id }, { push: true })}
        empty={
          address.workspace === '' ? (
            <Empty title="No firewall" command="bourse firewalls create --name web">
              Every workspace begins with one that lets anyone reach SSH. What no rule allows does not get in.
            </Empty>
          ) : undefined
        }
      />
      {opened ? <FirewallDialog key={opened.id} firewall={opened} onClose={() => setAddress({ open: '' })} /> : null}
      <CreateDialog
        isOpen={address.create !== ''}
        onClose={() => setAddress({ create: '' })}
        onDone={({ id }) => setAddress({ create: '', open: id })}
      />
    </div>
  )
}

function columnsAt(now: number, open: (id: string) => void): readonly Column<Firewall>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      value: ({ name }) => name,
      cell: ({ id, name, is_default }) => (
        <span className="row">
          <Button kind="plain" onClick={() => open(id)}>
            {name}
          </Button>
          {is_default ? <Badge word="default" /> : null}
        </span>
      ),
    },
    { id: 'workspace', title: 'Workspace', value: (row) => row.workspace.name, cell: (row) => row.workspace.name },
    {
      id: 'rules',
      title: 'Rules',
      isNumber: true,
      value: ({ rules }) => rules.length,
      cell: (row) => row.rules.length,
    },
    { id: 'reach', title: 'Who may reach what', value: reachText, cell: reachText },
    {
      id: 'updated_at',
      title: 'Changed',
      value: (row) => row.updated_at,
      cell: (row) => <Age at={row.updated_at} now={now} />,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function reachText({ rules }: Firewall): string {
  const reach = reachOf(rules)
  return reach.length === 0 ? 'Nobody' : reach.map(({ who, what }) => `${who}: ${what.join(', ')}`).join('; ')
}

type CreateProps = { isOpen: boolean; onClose: () => void; onDone: (firewall: Firewall) => void }

function CreateDialog({ isOpen, onClose, onDone }: CreateProps) {
  const [name, setName] = useState('')
  const [workspace, setWorkspace] = useState('')
  const [tags, setTags] = useState('')
  const create = useAction((body: CreateFirewallBody) => client.firewalls.create(body), {
    nouns: ['firewall'],
    onDone: (firewall) => {
      say(`Created ${firewall.name}. Add its rules now.`)
      onDone(firewall)
    },
  })
  const submit = () => {
    const found = sentTags(tags)
    create.run({
      ...(name === '' ? {} : { name }),
      ...(workspace === '' ? {} : { workspace: workspace as WorkspaceRef }),
      ...(found ? { tags: found } : {}),
    })
  }
  return (
    <Dialog title="Create a firewall" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <NameField value={name} onChange={setName} error={create.error} />
        <WorkspaceField value={workspace} onChange={setWorkspace} error={create.error} />
        <TagsField value={tags} onChange={setTags} error={create.error} />
        <p className="quiet">A new firewall has no rules, so nobody reaches anything.</p>
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
