/** Firewalls: a list, and each with its rules as a table and in words. */
import type { CreateFirewallBody, Firewall, WorkspaceRef } from '@bourse/sdk'
import { useState } from 'react'
import { WorkspaceFilter } from '../access/filters.tsx'
import { firewalls } from '../generated/rows/network.ts'
import { client } from '../live/client.ts'
import { columnsOf } from '../live/lists/columns.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import { useAction } from '../live/queries.ts'
import { sentTags } from '../live/tags.rules.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Empty } from '../ui/page.tsx'
import { say } from '../ui/toasts.tsx'
import { reachOf } from './firewall.rules.ts'
import { FirewallDialog } from './firewall-dialog.tsx'
import { NameField, TagsField, WorkspaceField } from './network-fields.tsx'

const columns = columnsOf(
  firewalls,
  [
    {
      of: 'name',
      cell: ({ name, is_default }) => (
        <>
          <bdi>{name}</bdi> {is_default ? <Badge word="default" /> : null}
        </>
      ),
    },
    'workspace',
    'rules',
    { id: 'reach', title: 'Who may reach what', value: reachText },
    'updated_at',
  ],
  ['id'],
)

/** The tab. */
export function FirewallsTab() {
  return (
    <ListTab
      name="Firewalls"
      operation="list_firewalls"
      every={15_000}
      columns={columns}
      filters={{ workspace: WorkspaceFilter }}
      create={{
        label: 'Create a firewall',
        dialog: (close, open) => <CreateDialog isOpen onClose={close} onDone={({ id }) => open(id)} />,
      }}
      empty={
        <Empty title="No firewall" command="bourse firewalls create --name web">
          Every workspace begins with one that lets anyone reach SSH. What no rule allows does not get in.
        </Empty>
      }
      opened={(firewall, close) => <FirewallDialog firewall={firewall} onClose={close} />}
    />
  )
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
