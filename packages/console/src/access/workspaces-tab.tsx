/** The workspaces of the account: create, rename, delete, and what is in one. */
import type { Workspace } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { createWorkspace, updateWorkspace } from '../generated/forms/access.ts'
import { workspaces } from '../generated/rows/access.ts'
import { useAccount } from '../live/clock.ts'
import { EditDialog } from '../live/forms/edit-dialog.tsx'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import type { Noun } from '../live/nouns.rules.ts'
import { Badge } from '../ui/badge.tsx'

/** Milliseconds: a workspace emits no event. */
const pace = 30_000

/** What shows workspaces by their names or paths. */
const nouns: readonly Noun[] = ['workspace', 'account', 'permission', 'firewall']

/** The tab. */
export function WorkspacesTab() {
  const { data: account } = useAccount()
  return (
    <ListTab
      name="Workspaces"
      operation="list_workspaces"
      every={pace}
      columns={columnsWith(account?.workspace.id)}
      create={{ label: 'Create a workspace', dialog: (close) => <CreateWorkspace onClose={close} /> }}
      above={() => (
        <p className="quiet">
          A workspace holds pools, instances, images and networks with names of their own, and roles that hold in it
          alone.
        </p>
      )}
      opened={(workspace, close) => <EditWorkspace workspace={workspace} onClose={close} />}
    />
  )
}

function columnsWith(own: string | undefined) {
  return columnsOf(
    workspaces,
    [
      'name',
      { id: 'own', title: 'Yours', cell: ({ id }) => (id === own ? <Badge word="default of this session" /> : '') },
      'created_at',
      'id',
    ],
    [{ id: 'path', title: 'Path', value: (row) => row.resource_path, as: 'id' }],
  )
}

function CreateWorkspace({ onClose }: { onClose: () => void }) {
  return (
    <OperationDialog
      form={createWorkspace}
      title="Create a workspace"
      action="Create"
      fields={['name']}
      nouns={nouns}
      said={({ name }) => `Created the workspace ${name}.`}
      onClose={onClose}
    >
      <p className="quiet small">It gets a firewall of its own, which lets nothing in. Give people roles in it then.</p>
    </OperationDialog>
  )
}

/** Where one sees what is in a workspace. */
const contents = [
  ['Pools', '/pools'],
  ['Instances', '/instances'],
  ['Templates', '/templates'],
  ['Images', '/images'],
] as const

function EditWorkspace({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const search = { workspace: workspace.id }
  return (
    <EditDialog
      form={updateWorkspace}
      remove="delete_workspace"
      row={workspace}
      fields={[{ name: 'name', hint: 'It is part of the path of everything inside: another name moves those paths.' }]}
      nouns={nouns}
      deletion="Only an empty workspace is deleted, and never the last one. Roles in it end, and sessions of it."
      onClose={onClose}
    >
      <p className="row">
        {contents.map(([title, to]) => (
          <Link key={to} to={to} search={search}>
            {title}
          </Link>
        ))}
        <Link to="/access" search={{ tab: 'grants', ...search }}>
          Roles in it
        </Link>
      </p>
    </EditDialog>
  )
}
