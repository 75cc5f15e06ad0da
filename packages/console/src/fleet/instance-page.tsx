/** One instance: why it is as it is, its machine, its console and what happened to it. */
import type { Instance } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { updateInstance } from '../generated/forms/fleet.ts'
import { instances } from '../generated/rows/fleet.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { ItemPage } from '../live/lists/item-page.tsx'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { asCli, asCurl } from '../ui/requests.rules.ts'
import { Tabs } from '../ui/tabs.tsx'
import { Money } from '../ui/values.tsx'
import { UserDataText } from './cloud-init.tsx'
import { ConsoleLog } from './console-log.tsx'
import styles from './fleet.module.css'
import { Hardware } from './instance-hardware.tsx'
import { InstanceReason } from './instance-reason.tsx'
import { InstanceTimeline } from './instance-timeline.tsx'
import { SshLines } from './ssh-lines.tsx'
import { useNodeCosts } from './use-capacity.ts'

const ReplaceDialog = lazy(() =>
  import('./replace-dialog.tsx').then(({ ReplaceDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function InstancePage() {
  const [address, setAddress] = useAddress({ tab: 'console', dialog: '' })
  const choose = (dialog: string) => setAddress({ dialog })
  return (
    <ItemPage
      operation="get_instance"
      titleOf={({ name }) => name}
      help={help}
      guide="/docs/concepts/instances"
      actions={(instance) => <Actions instance={instance} onChoose={choose} />}
    >
      {(instance) => (
        <>
          <section className="card" aria-label="State">
            <p className={styles.state}>
              <Badge word={instance.state} /> <Cost instance={instance} />
            </p>
            <InstanceReason instance={instance} />
          </section>
          <section className="card" aria-label="Secure shell">
            <h2>Reach it</h2>
            <SshLines instance={instance} />
          </section>
          <Details columns={facts} row={instance} />
          <Hardware sku={instance.sku} />
          <Tabs value={address.tab} onChange={(tab) => setAddress({ tab })} tabs={tabsOf(instance)} />
          <Suspense>
            <Dialogs instance={instance} dialog={address.dialog} onClose={() => choose('')} />
          </Suspense>
        </>
      )}
    </ItemPage>
  )
}

/** What its node costs: nothing where it has none, or for who may not see costs. */
function Cost({ instance }: { instance: Instance }) {
  const dollars = useNodeCosts()(instance)
  if (instance.state === 'terminated' || dollars === undefined) return null
  return (
    <span className="quiet">
      <Money dollars={dollars} /> an hour, on average today
    </span>
  )
}

const help = `A running instance has a machine of its own on one node; its state says what the host reports.
  Replacing it starts a successor from another image in its place; ending it is for good.`

type InstanceActionsProps = { instance: Instance; onChoose: (dialog: string) => void }

function Actions({ instance: { state }, onChoose }: InstanceActionsProps) {
  if (state === 'terminated') {
    return (
      <Button kind="danger" onClick={() => onChoose('delete')}>
        Delete record
      </Button>
    )
  }
  return (
    <>
      <Button onClick={() => onChoose('edit')}>Edit</Button>
      <Button onClick={() => onChoose('replace')}>Replace</Button>
      <Button kind="danger" onClick={() => onChoose('terminate')}>
        Terminate
      </Button>
    </>
  )
}

const facts = columnsOf(instances, [
  'id',
  { id: 'path', title: 'Path', value: (row) => row.resource_path, as: 'id' },
  'workspace',
  'pool',
  'image',
  { of: 'created_at', as: 'moment' },
  { of: '_preview_updated_at', title: 'Changed', as: 'moment' },
  'priority_level',
  'tags',
  'private_ip',
  {
    of: '_preview_public_ip',
    value: (row) => row._preview_public_ip ?? (row._preview_enable_public_ipv4 ? 'not yet' : 'none'),
  },
  { id: 'data', title: 'User data', cell: (instance) => <UserDataText instance={instance} /> },
  {
    of: 'managed_by',
    title: 'Deployment',
    isOptional: true,
    cell: ({ managed_by }) =>
      managed_by && (
        <Link to="/deployments/$id" params={{ id: managed_by.id }}>
          <bdi>{managed_by.name}</bdi>
        </Link>
      ),
  },
])

function tabsOf(instance: Instance) {
  return [
    { id: 'console', title: 'Console log', content: <ConsoleLog key={instance.id} instance={instance} /> },
    { id: 'timeline', title: 'Timeline', content: <InstanceTimeline instance={instance} /> },
    { id: 'program', title: 'As a program', content: <ProgramLines instance={instance} /> },
  ]
}

function ProgramLines({ instance: { id, name } }: { instance: Instance }) {
  const path = `/v2/instances/${id}`
  return (
    <CodeLines
      ways={{
        CLI: [`instances get ${id}`, `instances logs ${id} --follow`, `instances explain ${id}`, `ssh ${id} --wait`]
          .map((command) => asCli(command, {}))
          .join('\n'),
        curl: asCurl({ method: 'GET', path }, location.origin),
        SDK: `const instance = await client.instances.get(${JSON.stringify(id)}) // ${JSON.stringify(name)}`,
      }}
    />
  )
}

type InstanceDialogsProps = { instance: Instance; dialog: string; onClose: () => void }

function Dialogs({ instance, dialog, onClose }: InstanceDialogsProps) {
  const { id, name, managed_by } = instance
  const navigate = useNavigate()
  const about = { params: { id }, nouns: ['instance'], onClose } as const
  switch (dialog) {
    case 'terminate':
      return (
        <ConfirmOperation
          {...about}
          operation="terminate_instance"
          title={`Terminate ${name}?`}
          action="Terminate"
          said={`Ended ${name}.`}
        >
          <p>Its disk is gone for good. The capacity stays in its pool, so another instance can use it at once.</p>
          {managed_by ? <p>Its deployment starts another one in its place.</p> : null}
          <pre className="small">{asCli(`instances terminate ${id} --yes`, {})}</pre>
        </ConfirmOperation>
      )
    case 'delete':
      return (
        <ConfirmOperation
          {...about}
          operation="delete_instance"
          title={`Delete the record of ${name}?`}
          action="Delete record"
          said={`Deleted the record of ${name}.`}
          leadsTo="/instances"
        >
          <p>Its name is free again. Its console log is gone; its events stay for their seven days.</p>
        </ConfirmOperation>
      )
    case 'replace':
      return (
        <ReplaceDialog
          instance={instance}
          onClose={onClose}
          onReplaced={(successor) => void navigate({ to: '/instances/$id', params: { id: successor.id } })}
        />
      )
    case 'edit':
      return (
        <OperationDialog
          {...about}
          form={updateInstance}
          before={instance}
          title={`Edit ${name}`}
          action="Save"
          fields={['name', 'tags', 'priority_level']}
          said={(saved) => `Saved ${saved.name}.`}
        />
      )
    default:
      return null
  }
}
