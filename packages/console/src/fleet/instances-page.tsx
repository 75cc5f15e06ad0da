/** The live list of instances. */
import type { Instance } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useNow } from '../live/clock.ts'
import { useExample } from '../live/example.ts'
import { useList } from '../live/queries.ts'
import { tagsText } from '../live/tags.rules.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Freshness } from '../ui/freshness.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { RetagDialog, TerminateDialog } from './bulk-dialogs.tsx'
import { InstanceFilters, noFilters } from './instance-filters.tsx'
import { nameFilter, tagFilter } from './launch.rules.ts'

const CreateInstanceDialog = lazy(() =>
  import('./create-instance-dialog.tsx').then(({ CreateInstanceDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function InstancesPage() {
  const [address, setAddress] = useAddress({ ...noFilters, sort: '', dialog: '' })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const navigate = useNavigate()
  const now = useNow()
  const { state, pool, sku, workspace, tag, name } = address
  const filters = { state, pool, sku, workspace, ...nameFilter(name), ...tagFilter(tag) }
  const list = useList('list_instances', filters)
  const { rows } = list
  const isFiltered = Object.keys(noFilters).some((key) => address[key as keyof typeof noFilters] !== '')
  const open = ({ id }: Pick<Instance, 'id'>) => void navigate({ to: '/instances/$id', params: { id } })
  const close = () => setAddress({ dialog: '' })
  const named = [...chosen].map((id) => list.rows.find((row) => row.id === id) ?? unlisted(id))
  const bulk = { chosen: named, onClose: close, onDone: (rest: readonly string[]) => setChosen(new Set(rest)) }
  const create = (
    <Button kind="primary" onClick={() => setAddress({ dialog: 'create' })}>
      Create instance
    </Button>
  )
  return (
    <Page title="Instances" help={help} guide="/docs/concepts/instances" actions={create}>
      <InstanceFilters value={address} onChange={setAddress} />
      <ErrorText error={list.error} />
      {list.isPending && !list.error ? <Loading /> : null}
      {!list.isPending && rows.length === 0 && !list.more.hasMore ? (
        <NoInstances isFiltered={isFiltered} create={create} onClear={() => setAddress(noFilters)} />
      ) : list.isPending ? null : (
        <>
          <Bulk
            count={chosen.size}
            onChoose={(dialog) => setAddress({ dialog })}
            onClear={() => setChosen(new Set())}
          />
          <Table
            name="Instances"
            columns={columnsAt(now)}
            rows={rows}
            keyOf={({ id }) => id}
            onOpen={open}
            sort={address.sort}
            onSort={(sort) => setAddress({ sort })}
            more={list.more}
            selection={{ keys: chosen, onChange: setChosen }}
            note={<Freshness updatedAt={list.updatedAt} count={rows.length} hasMore={list.more.hasMore} />}
          />
        </>
      )}
      <TerminateDialog {...bulk} isOpen={address.dialog === 'terminate' && chosen.size > 0} />
      <RetagDialog {...bulk} isOpen={address.dialog === 'tag' && chosen.size > 0} />
      <Suspense>
        {address.dialog === 'create' ? (
          <CreateInstanceDialog
            isOpen
            onClose={close}
            onCreated={(instance) => {
              say(`Created ${instance.name}.`)
              open(instance)
            }}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

const help = (
  <>
    An instance is a virtual machine on one node of your capacity. It starts as soon as its pool has a free node of its
    SKU, and it ends when the pool's allocation ends, unless you end it before.
  </>
)

/** A chosen instance that the list no longer shows. */
function unlisted(id: string): Pick<Instance, 'id' | 'name' | 'tags'> {
  return { id: id as Instance['id'], name: id, tags: null }
}

type NoneProps = { isFiltered: boolean; create: React.ReactNode; onClear: () => void }

function NoInstances({ isFiltered, create, onClear }: NoneProps) {
  const [pool, sku, image] = [useExample('pool'), useExample('sku'), useExample('image')]
  if (isFiltered) {
    return (
      <Empty title="No instance" action={<Button onClick={onClear}>Show all</Button>}>
        No instance matches these filters. Those that ended are shown by their state.
      </Empty>
    )
  }
  return (
    <Empty
      title="No instance"
      action={create}
      command={`bourse instances create --pool ${pool} --sku ${sku} --image ${image}`}
    >
      Buy node-hours first; then an instance runs in them. It ends with its window, after a notice.
    </Empty>
  )
}

type BulkProps = { count: number; onChoose: (dialog: string) => void; onClear: () => void }

/** What can be done with the chosen rows. */
function Bulk({ count, onChoose, onClear }: BulkProps) {
  return (
    <div className="row no-print">
      <span className="quiet">{count === 0 ? 'None chosen: x chooses a row' : `${count} chosen`}</span>
      <Button disabled={count === 0} onClick={() => onChoose('tag')}>
        Tag
      </Button>
      <Button kind="danger" disabled={count === 0} onClick={() => onChoose('terminate')}>
        Terminate
      </Button>
      {count > 0 ? (
        <Button kind="plain" onClick={onClear}>
          Choose none
        </Button>
      ) : null}
    </div>
  )
}

function columnsAt(now: number): readonly Column<Instance>[] {
  return [
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: (row) => <InstanceLink instance={row} /> },
    { id: 'state', title: 'State', value: ({ state }) => state, cell: ({ state }) => <Badge word={state} /> },
    { id: 'sku', title: 'SKU', value: ({ sku }) => sku.alias, cell: ({ sku }) => sku.alias },
    { id: 'pool', title: 'Pool', value: ({ pool }) => pool?.name, cell: ({ pool }) => pool?.name ?? '–' },
    { id: 'image', title: 'Image', value: ({ image }) => image.name, cell: ({ image }) => image.name },
    {
      id: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
    },
    {
      id: 'tags',
      title: 'Tags',
      value: ({ tags }) => tagsText(tags),
      cell: ({ tags }) => tagsText(tags),
      isExtra: true,
    },
    {
      id: 'workspace',
      title: 'Workspace',
      value: ({ workspace }) => workspace.name,
      cell: ({ workspace }) => workspace.name,
      isExtra: true,
    },
    {
      id: 'managed_by',
      title: 'Deployment',
      value: ({ managed_by }) => managed_by?.name,
      cell: ({ managed_by }) => managed_by?.name ?? '–',
      isExtra: true,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function InstanceLink({ instance: { id, name } }: { instance: Instance }) {
  return (
    <Link to="/instances/$id" params={{ id }}>
      <bdi>{name}</bdi>
    </Link>
  )
}
