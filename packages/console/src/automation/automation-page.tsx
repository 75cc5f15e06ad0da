/** The page of one automation: what all of them share around their content. */
import type { Answer } from '@bourse/sdk'
import type { ReactNode } from 'react'
import { ItemPage } from '../live/lists/item-page.tsx'
import { type ItemAddress, useOpening } from '../live/lists/list-view.tsx'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Loaded, type LoadedValue } from '../ui/loaded.tsx'
import { type Column, Table } from '../ui/table.tsx'

type AutomationRead = 'get_deployment' | 'get_procurement'

type AutomationPageProps<N extends AutomationRead> = {
  operation: N
  help: string
  guide: string
  content: (automation: Answer<N>) => ReactNode
  /** Its dialogs; which one is open is part of the address. */
  dialogs: (automation: Answer<N>, dialog: string, onClose: () => void) => ReactNode
}

/** The page. It is read again at its own pace: what an automation has changes without an event of its own. */
export function AutomationPage<N extends AutomationRead>(props: AutomationPageProps<N>) {
  const { operation, help, guide, content, dialogs } = props
  const [{ dialog }, setAddress] = useAddress({ dialog: '' })
  const choose = (next: string) => setAddress({ dialog: next })
  return (
    <ItemPage
      operation={operation}
      titleOf={({ name }) => name}
      help={help}
      guide={guide}
      every={10_000}
      actions={({ enabled }) => <Actions enabled={enabled} onChoose={choose} />}
    >
      {(automation) => (
        <>
          {content(automation)}
          {dialogs(automation, dialog, () => choose(''))}
        </>
      )}
    </ItemPage>
  )
}

function Actions({ enabled, onChoose }: { enabled: boolean; onChoose: (dialog: string) => void }) {
  return (
    <>
      <Button onClick={() => onChoose('edit')}>Edit</Button>
      <Button onClick={() => onChoose('toggle')}>{enabled ? 'Pause' : 'Resume'}</Button>
      <Button kind="danger" onClick={() => onChoose('delete')}>
        Delete
      </Button>
    </>
  )
}

type BelongingsProps<T> = {
  title: string
  /** The name of the table. */
  name: string
  rows: LoadedValue<readonly T[]>
  columns: readonly Column<T>[]
  page: ItemAddress
  /** What is said where there is none. */
  none: string
}

/** What belongs to an automation: its instances, its orders. */
export function Belongings<T extends { id: string }>({ title, name, rows, columns, page, none }: BelongingsProps<T>) {
  const [{ sort }, setAddress] = useAddress({ sort: '' })
  const opening = useOpening<T>(page)
  return (
    <section>
      <h2>{title}</h2>
      <Loaded of={rows}>
        {(all) =>
          all.length === 0 ? (
            <p className="quiet">{none}</p>
          ) : (
            <Table
              {...opening}
              name={name}
              columns={columns}
              rows={all}
              keyOf={({ id }) => id}
              sort={sort}
              onSort={(next) => setAddress({ sort: next })}
            />
          )
        }
      </Loaded>
    </section>
  )
}
