/** The page of one automation: what all of them share around their content. */
import type { Answer } from '@bourse/sdk'
import { type ReactNode, Suspense } from 'react'
import { ConfirmAny } from '../live/forms/confirm.tsx'
import { ItemPage } from '../live/lists/item-page.tsx'
import { type ItemAddress, useOpening } from '../live/lists/list-view.tsx'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Loaded, type LoadedValue } from '../ui/loaded.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { EstimateView } from './estimate-view.tsx'
import { useEstimate } from './use-estimate.ts'

/** What an automation is changed, deleted and estimated by, and what that makes outdated. */
const operations = {
  get_deployment: {
    update: 'update_deployment',
    remove: 'delete_deployment',
    estimate: 'create_deployment_update_estimate',
    list: { to: '/deployments', title: 'Deployments' },
    nouns: ['deployment', 'instance', 'order', 'balance'],
  },
  get_procurement: {
    update: 'update_procurement',
    remove: 'delete_procurement',
    estimate: 'create_procurement_update_estimate',
    list: { to: '/procurements', title: 'Procurements' },
    nouns: ['procurement', 'order', 'balance'],
  },
} as const

type AutomationRead = keyof typeof operations

type AutomationPageProps<N extends AutomationRead> = {
  operation: N
  help: string
  guide: string
  content: (automation: Answer<N>) => ReactNode
  edit: (automation: Answer<N>, onClose: () => void) => ReactNode
  /** What a pause leaves as it is. */
  pause: string
  /** What a deletion takes along. */
  deletion: (automation: Answer<N>) => string
}

/** The page. It is read again at its own pace: what an automation has changes without an event of its own. */
export function AutomationPage<N extends AutomationRead>(props: AutomationPageProps<N>) {
  const { operation, help, guide, content, edit, pause, deletion } = props
  // Which dialog is open is part of the address.
  const [{ dialog }, setAddress] = useAddress({ dialog: '' })
  const choose = (next: string) => setAddress({ dialog: next })
  const onClose = () => choose('')
  return (
    <ItemPage
      operation={operation}
      titleOf={({ name }) => name}
      help={help}
      guide={guide}
      every={10_000}
      parent={operations[operation].list}
      actions={({ enabled }) => <Actions enabled={enabled} onChoose={choose} />}
    >
      {(automation) => (
        <>
          {content(automation)}
          <Suspense>{dialog === 'edit' ? edit(automation, onClose) : null}</Suspense>
          {dialog === 'toggle' ? (
            <ToggleDialog operation={operation} automation={automation} pause={pause} onClose={onClose} />
          ) : null}
          {dialog === 'delete' ? (
            <ConfirmAny
              operation={operations[operation].remove}
              params={{ id: automation.id }}
              title={`Delete ${automation.name}?`}
              action="Delete"
              typed={automation.name}
              nouns={operations[operation].nouns}
              said={`Deleted ${automation.name}.`}
              leadsTo={operations[operation].list.to}
              onClose={onClose}
            >
              <p>{deletion(automation)}</p>
            </ConfirmAny>
          ) : null}
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

type ToggleProps = {
  operation: AutomationRead
  automation: Pick<Answer<AutomationRead>, 'id' | 'name' | 'enabled'>
  pause: string
  onClose: () => void
}

/** Asks before a pause, and shows what a resumption would trade. */
function ToggleDialog({ operation, automation: { id, name, enabled }, pause, onClose }: ToggleProps) {
  const { update, estimate, nouns } = operations[operation]
  const resumed = useEstimate(estimate, { id }, enabled ? null : { enabled: true })
  const verb = enabled ? 'Pause' : 'Resume'
  return (
    <ConfirmAny
      operation={update}
      params={{ id }}
      input={{ enabled: !enabled }}
      title={`${verb} ${name}?`}
      action={verb}
      isDangerous={enabled}
      nouns={nouns}
      said={`${verb}d ${name}.`}
      onClose={onClose}
    >
      {enabled ? <p>{pause}</p> : <EstimateView {...resumed} />}
    </ConfirmAny>
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
