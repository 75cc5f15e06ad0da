/** The live list of instances. */
import type { Instance } from '@bourse/sdk'
import { countText } from '@bourse/text/formats/short.ts'
import { Link } from '@tanstack/react-router'
import { lazy, useMemo, useState } from 'react'
import { hasNode } from '../fleet/instance-filters.rules.ts'
import { instanceDefaults, instanceFilters, instanceQuery } from '../fleet/instance-filters.tsx'
import { instances } from '../generated/rows/fleet.ts'
import { client } from '../live/client.ts'
import { useExample } from '../live/example.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { LiveAge } from '../live/lists/formats.tsx'
import { ListPage } from '../live/lists/list-page.tsx'
import { useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { say } from '../ui/toasts.tsx'
import { RetagDialog, TerminateDialog } from './bulk-dialogs.tsx'
import type { PoolReduction } from './capacity.rules.ts'
import styles from './fleet.module.css'
import { useNodeCosts, usePoolReductions } from './use-capacity.ts'

const CreateInstanceDialog = lazy(() =>
  import('./create-instance-dialog.tsx').then(({ CreateInstanceDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function InstancesPage() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const columns = useColumns()
  return (
    <ListPage
      title="Instances"
      help={help}
      guide="/docs/concepts/instances"
      name="Instances"
      operation="list_instances"
      columns={columns}
      page="/instances/$id"
      filters={instanceFilters}
      defaults={instanceDefaults}
      query={instanceQuery}
      selection={{ keys: chosen, onChange: setChosen }}
      above={({ rows }) => <Bulk rows={rows} chosen={chosen} onChange={setChosen} />}
      actions={
        <Link to="/templates" className={buttonClass()}>
          Templates
        </Link>
      }
      create={{
        label: 'Create instance',
        dialog: (close, open) => (
          <CreateInstanceDialog
            onClose={close}
            onCreated={({ id, name }) => {
              say(`Created ${name}.`)
              open(id)
            }}
          />
        ),
      }}
      empty={{
        title: 'No instance',
        useCommand,
        text: `Buy node-hours first; then an instance runs in them. It ends with its window, after a notice. Instances
          that have ended are shown by the filter State.`,
      }}
    />
  )
}

const help = `An instance is a virtual machine on one node of your capacity. It starts as soon as its pool has a free
node of its SKU, and it ends when the pool's allocation ends, unless you end it before.`

function useCommand(): string {
  const [pool, sku, image] = [useExample('pool'), useExample('sku'), useExample('image')]
  return `bourse instances create --pool ${pool} --sku ${sku} --image ${image}`
}

/** The columns, with what is known about the nodes below. Nothing ends or costs that has no node any more. */
function useColumns() {
  const reductionOf = usePoolReductions()
  const costOf = useNodeCosts()
  return useMemo(() => {
    const reductionNow = (row: Instance) => (row.state === 'terminated' ? undefined : reductionOf(row))
    return columnsOf(
      instances,
      [
        'name',
        'state',
        'sku',
        'pool',
        {
          id: 'ends',
          title: 'Ends in',
          value: (row) => reductionNow(row)?.at,
          cell: (row) => <EndsIn reduction={reductionNow(row)} />,
        },
        {
          id: 'cost',
          title: '$/h',
          as: 'money',
          value: (row) => (hasNode(row.state) ? costOf(row) : undefined),
        },
        'image',
        'created_at',
      ],
      ['tags', 'workspace', { of: 'managed_by', title: 'Deployment' }, 'private_ip', 'id'],
    )
  }, [reductionOf, costOf])
}

/** Where the pool keeps some of its nodes, other instances may end instead. */
function EndsIn({ reduction }: { reduction: PoolReduction | undefined }) {
  if (!reduction) return '–'
  return (
    <>
      <LiveAge at={reduction.at} />
      {reduction.nodes === 0 ? null : <span className="quiet"> at the earliest</span>}
    </>
  )
}

/** A chosen instance that the list no longer shows. */
function unlisted(id: string): Pick<Instance, 'id' | 'name' | 'tags'> {
  return { id: id as Instance['id'], name: id, tags: null }
}

type BulkBarProps = {
  rows: readonly Instance[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** What can be done with the chosen rows, with its dialogs. */
function Bulk({ rows, chosen, onChange }: BulkBarProps) {
  const [{ dialog }, setAddress] = useAddress({ dialog: '' })
  const count = chosen.size
  if (rows.length + count === 0) return null
  const bulk = {
    chosen: [...chosen].map((id) => rows.find((row) => row.id === id) ?? unlisted(id)),
    onClose: () => setAddress({ dialog: '' }),
    onDone: (rest: readonly string[]) => onChange(new Set(rest)),
  }
  return (
    <div className="row no-print">
      <Total />
      <span className="quiet">
        {count === 0 ? (
          <>
            None chosen<span className={styles.keyboard}>: x chooses a row</span>
          </>
        ) : (
          `${count} chosen`
        )}
      </span>
      <Button disabled={count === 0} onClick={() => setAddress({ dialog: 'tag' })}>
        Tag
      </Button>
      <Button kind="danger" disabled={count === 0} onClick={() => setAddress({ dialog: 'terminate' })}>
        Terminate
      </Button>
      {count > 0 ? (
        <Button kind="plain" onClick={() => onChange(new Set())}>
          Choose none
        </Button>
      ) : null}
      {dialog === 'terminate' && count > 0 ? <TerminateDialog {...bulk} /> : null}
      {dialog === 'tag' && count > 0 ? <RetagDialog {...bulk} /> : null}
    </div>
  )
}

/** How many live ones there are in all: a list is read in parts, and the limit of the account counts them. */
function Total() {
  const { data } = useRead(['limit', 'item', 'instances'], () => client.limits.get('instances'), {
    every: 15_000,
    retry: 1,
  })
  return data?.used ? <b>{countText(data.used)} live in the account</b> : null
}
