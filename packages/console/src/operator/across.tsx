import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { type LiveList, useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Empty } from '../ui/page.tsx'
import { asCli, asCurl, asSdk } from '../ui/requests.rules.ts'
import type { Column } from '../ui/table.tsx'
import { TypedFilter } from '../ui/typed-filter.tsx'
import { flagsOf, givenOf, queryOf } from './across.rules.ts'
import styles from './operator.module.css'

/** Milliseconds between two reads: events of other accounts do not come here. */
export const pace = 10_000

type AcrossProps<T> = {
  /** The name of the table. */
  name: string
  /** The noun of the command and the path, such as orders. */
  noun: string
  /** The group of the client, such as `platformOrders`. */
  group: string
  /** The filters as they are sent. */
  query: Readonly<Record<string, unknown>>
  list: LiveList<T>
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  titleOf: (row: T) => string
  /** What a chosen row shows. Default: all that the API says of it. */
  details?: (row: T) => ReactNode
  /** The filters. */
  children: ReactNode
}

/** The list with its filters, one row in full, and the same as a command. */
export function Across<T>(props: AcrossProps<T>) {
  const { name, noun, group, query, list, columns, keyOf, titleOf, details, children } = props
  const [opened, setOpened] = useState<T>()
  const given = givenOf(query)
  const ways = {
    CLI: asCli(`platform ${noun}`, flagsOf(given)),
    curl: asCurl({ method: 'GET', path: `/preview/v2/admin/${noun}${queryOf(given)}` }, location.origin),
    SDK: asSdk(`${group}.list`, given),
  }
  return (
    <div className="stack">
      <search className="row no-print">{children}</search>
      <ListView
        name={name}
        list={list}
        columns={columns}
        keyOf={keyOf}
        onOpen={setOpened}
        empty={
          <Empty title="Nothing to show">No account has what these filters ask for. Change them to see more.</Empty>
        }
      />
      <CodeLines ways={ways} />
      <Dialog
        title={opened === undefined ? '' : titleOf(opened)}
        isOpen={opened !== undefined}
        onClose={() => setOpened(undefined)}
        isWide
      >
        {opened === undefined
          ? null
          : (details?.(opened) ?? <pre className={styles.command}>{JSON.stringify(opened, null, 2)}</pre>)}
        <DialogActions>
          <Button onClick={() => setOpened(undefined)}>Close</Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}

/** The accounts to choose from. */
export function useAccountIds(): readonly string[] {
  const accounts = useRead(['account', 'choices'], () => client.accounts.list({ limit: 200 }).all({ max: 500 }))
  return (accounts.data ?? []).map(({ id }) => id)
}

/** A filter by account. */
export function AccountFilter({ value, onChange }: { value: string; onChange: (account: string) => void }) {
  return (
    <span className="row">
      <span aria-hidden="true">Account</span>
      <TypedFilter
        label="Account"
        placeholder="All"
        value={value}
        onChange={onChange}
        maxLength={40}
        choices={useAccountIds()}
      />
    </span>
  )
}

/** A column with the account of a row. */
export function accountColumn<T extends { readonly account: string }>(): Column<T> {
  return {
    id: 'account',
    title: 'Account',
    value: ({ account }) => account,
    cell: ({ account }) => <AccountLink id={account} />,
  }
}

/** A link to an account. */
export function AccountLink({ id }: { id: string }) {
  return (
    <Link to="/operator/accounts/$id" params={{ id }}>
      {id}
    </Link>
  )
}

/** All SKUs, also those that are not on the market any more. */
export function usePlatformSkus() {
  return useAll('list_platform_skus', { include_deleted: true })
}

/** The SKUs as options of a filter. */
export function useSkuOptions(): Readonly<Record<string, string>> {
  const skus = usePlatformSkus()
  return { '': 'All', ...Object.fromEntries((skus.data ?? []).map(({ id, alias }) => [id, alias || id])) }
}
