/** The live list of instances. */
import type { Instance, InstanceId } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useAction, useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Freshness } from '../ui/freshness.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { allOr, Select } from '../ui/select.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Age, Copyable } from '../ui/values.tsx'

const states = ['awaiting_allocation', 'running', 'failed', 'terminated']

/** The page. */
export function InstancesPage() {
  const [address, setAddress] = useAddress({ state: '', sort: '' })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isEnding, setEnding] = useState(false)
  const navigate = useNavigate()
  const now = useNow()
  const list = useList('instance', client.instances.list, { state: address.state })
  const isEmpty = !list.isPending && list.rows.length === 0
  return (
    <Page
      title="Instances"
      help={
        <>
          An instance is a virtual machine on one node of your capacity. It starts as soon as its pool has a free node
          of its SKU, and it ends when the pool's allocation ends, unless you end it before.
        </>
      }
      guide="/docs/concepts/instances"
      actions={
        <Button kind="danger" disabled={chosen.size === 0} onClick={() => setEnding(true)}>
          Terminate
        </Button>
      }
    >
      <div className="row">
        <Select
          label="State"
          value={address.state}
          onChange={(state) => setAddress({ state })}
          options={allOr(states)}
        />
      </div>
      <ErrorText error={list.error} />
      {list.isPending && !list.error ? <Loading /> : null}
      {isEmpty ? (
        <Empty title="No instance" command="bourse instances create --pool POOL --sku SKU --image IMAGE">
          Buy node-hours first; then an instance runs in them.
        </Empty>
      ) : (
        <Table
          name="Instances"
          columns={columnsAt(now)}
          rows={list.rows}
          keyOf={({ id }) => id}
          onOpen={({ id }) => void navigate({ to: '/instances/$id', params: { id } as never })}
          sort={address.sort}
          onSort={(sort) => setAddress({ sort })}
          loadMore={list.loadMore}
          hasMore={list.hasMore}
          selection={{ keys: chosen, onChange: setChosen }}
          note={<Freshness updatedAt={list.updatedAt} count={list.rows.length} hasMore={list.hasMore} />}
        />
      )}
      <TerminateDialog
        ids={[...chosen]}
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        onDone={() => setChosen(new Set())}
      />
    </Page>
  )
}

function columnsAt(now: number): readonly Column<Instance>[] {
  return [
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: (row) => <InstanceLink instance={row} /> },
    { id: 'state', title: 'State', value: ({ state }) => state, cell: ({ state }) => <Badge word={state} /> },
    { id: 'sku', title: 'SKU', value: ({ sku }) => sku.alias ?? sku.id, cell: ({ sku }) => sku.alias ?? sku.id },
    { id: 'pool', title: 'Pool', value: ({ pool }) => pool?.name, cell: ({ pool }) => pool?.name ?? '–' },
    { id: 'image', title: 'Image', value: ({ image }) => image.name, cell: ({ image }) => image.name },
    {
      id: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function InstanceLink({ instance: { id, name } }: { instance: Instance }) {
  return (
    <Link to="/instances/$id" params={{ id } as never}>
      {name}
    </Link>
  )
}

type TerminateProps = { ids: readonly string[]; isOpen: boolean; onClose: () => void; onDone: () => void }

/** Ends several instances, one request for each; what failed stays named. */
function TerminateDialog({ ids, isOpen, onClose, onDone }: TerminateProps) {
  const count = ids.length === 1 ? 'one instance' : `${ids.length} instances`
  const end = useAction(
    async (chosen: readonly string[]) => {
      for (const id of chosen) await client.instances.terminate(id as InstanceId)
    },
    {
      nouns: ['instance'],
      onDone: () => {
        say(`Ended ${count}.`)
        onDone()
        onClose()
      },
    },
  )
  return (
    <ConfirmDialog
      title={`Terminate ${count}?`}
      action={`Terminate ${count}`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => end.run(ids)}
      isBusy={end.isRunning}
      error={end.error}
    >
      <p>Their disks are gone for good. The capacity stays yours until its window ends.</p>
    </ConfirmDialog>
  )
}
