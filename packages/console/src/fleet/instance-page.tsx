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
import { Copyable, Money } from '../ui/values.tsx'
import { UserDataText } from './cloud-init.tsx'
import { ConsoleLog } from './console-log.tsx'
import styles from './fleet.module.css'
import { hasNode } from './instance-filters.rules.ts'
import { Hardware } from './instance-hardware.tsx'
import { InstanceReason } from './instance-reason.tsx'
import { InstanceTimeline } from './instance-timeline.tsx'
import { NetworkName } from './network-name.tsx'
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
      parent={{ to: '/instances', title: 'Instances' }}
      titleOf={({ name }) => name}
      beside={({ state }) => <Badge word={state} />}
      help={help}
      guide="/docs/concepts/instances"
      actions={(instance) => <Actions instance={instance} onChoose={choose} />}
    >
      {(instance) => (
        <>
          <section className={`card ${styles.status}`} aria-label="State">
            <InstanceReason instance={instance} />
          </section>
          <div className={styles.columns}>
            <section className={`card ${styles.reach}`} aria-label="Secure shell">
              <h2>Reach it</h2>
              <SshLines instance={instance} />
              <Details columns={ways} row={instance} />
            </section>
            <div className={styles.work}>
              <Tabs value={address.tab} onChange={(tab) => setAddress({ tab })} tabs={tabsOf(instance)} />
            </div>
            <section className={`card ${styles.facts}`} aria-label="Properties">
              <h2>What it is</h2>
              <Details columns={facts} row={instance} />
              <Hardware sku={instance.sku} />
              <Details columns={further} row={instance} />
            </section>
          </div>
          <Suspense>
            <Dialogs instance={instance} dialog={address.dialog} onClose={() => choose('')} />
          </Suspense>
        </>
      )}
    </ItemPage>
  )
}

/** What its node costs; a dash where it has none, or for who may not see costs. */
function Cost({ instance }: { instance: Instance }) {
  const dollars = useNodeCosts()(instance)
  if (!hasNode(instance.state) || dollars === undefined) return '–'
  return (
    <span title="What a node of its pool costs this hour, on average: its instances share all of them.">
      <Money dollars={dollars} /> an hour
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

/** Who and what gets in. */
const ways = columnsOf(instances, [
  { of: 'ssh_keys', title: 'Keys', cell: ({ ssh_keys = [] }) => <Keys keys={ssh_keys} />, none: 'none of the account' },
  { of: 'private_ip', as: 'id', isOptional: true },
  {
    of: '_preview_public_ip',
    as: 'id',
    cell: ({ _preview_public_ip: address = '' }) => <Copyable text={address} />,
    isOptional: true,
  },
  {
    id: 'public',
    title: 'From outside',
    value: (row) => {
      if (!row._preview_enable_public_ipv4) return 'SSH only, by the platform'
      return row._preview_public_ip ? undefined : 'no address yet'
    },
    isOptional: true,
  },
  {
    of: '_preview_firewall',
    cell: ({ _preview_firewall: firewall = null }) => <NetworkName operation="list_firewalls" id={firewall} />,
    isOptional: true,
  },
])

const facts = columnsOf(instances, [
  { id: 'cost', title: 'Cost', cell: (instance) => <Cost instance={instance} /> },
  'image',
  'pool',
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
  {
    of: 'order',
    title: 'Bought by',
    isOptional: true,
    cell: ({ order = '' }) => (
      <Link to="/orders/$id" params={{ id: order }}>
        its order
      </Link>
    ),
  },
])

const further = columnsOf(instances, [
  { of: 'subnet', cell: ({ subnet }) => <NetworkName operation="list_subnets" id={subnet} />, none: 'isolated' },
  {
    of: '_preview_infiniband_partition',
    cell: ({ _preview_infiniband_partition: partition }) => (
      <NetworkName operation="list_infiniband_partitions" id={partition} />
    ),
    isOptional: true,
  },
  'priority_level',
  'tags',
  { id: 'data', title: 'User data', cell: (instance) => <UserDataText of={instance} /> },
  'workspace',
  { of: 'created_at', as: 'moment' },
  { of: '_preview_updated_at', title: 'Changed', as: 'moment' },
  'id',
  { id: 'path', title: 'Path', value: (row) => row.resource_path, as: 'id' },
])

/** What is said of a key that does not simply open the machine. */
const keyStates: Readonly<Record<string, string>> = {
  waiting: 'not yet in it',
  removing: 'deleted, being taken out',
  left: 'deleted, still opens it: replace the instance',
}

function Keys({ keys }: { keys: NonNullable<Instance['ssh_keys']> }) {
  return keys.map(({ id, name, fingerprint, state }) => (
    <div key={id} title={fingerprint}>
      <bdi>{name}</bdi>
      {keyStates[state] ? <span className={state === 'left' ? 'bad' : 'quiet'}> · {keyStates[state]}</span> : null}
    </div>
  ))
}

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
