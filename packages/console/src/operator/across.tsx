import type { Item } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { readFilter } from '../live/lists/filters.tsx'
import { ListTab } from '../live/lists/list-page.tsx'
import type { ListName } from '../live/operations.ts'
import { useRead } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { asCli, asCurl, asSdk } from '../ui/requests.rules.ts'
import { TypedFilter } from '../ui/typed-filter.tsx'
import { flagsOf, type GivenFilters, givenOf, queryOf } from './across.rules.ts'
import styles from './operator.module.css'

/** Milliseconds between two reads: events of other accounts do not come here. */
export const pace = 10_000

type AcrossProps<N extends ListName> = Parameters<typeof ListTab<N>>[0] & {
  /** The noun of the command and the path, such as `orders`. */
  noun: string
  /** The group of the client, such as `platformOrders`. */
  group: string
  titleOf: (row: Item<N>) => string
  /** What a chosen row shows. Default: all that the API says of it. */
  details?: (row: Item<N>) => ReactNode
}

/** The list with its filters, one row in full, and the same as a command. */
export function Across<N extends ListName>({ noun, group, titleOf, details, ...list }: AcrossProps<N>) {
  return (
    <ListTab<N>
      every={pace}
      empty={{ title: 'Nothing to show', text: 'No account has any.' }}
      {...list}
      opened={(row, close) => (
        <Dialog title={titleOf(row)} isOpen onClose={close} isWide>
          {details?.(row) ?? <pre className={styles.command}>{JSON.stringify(row, null, 2)}</pre>}
          <DialogActions>
            <Button onClick={close}>Close</Button>
          </DialogActions>
        </Dialog>
      )}
      below={(sent) => <CodeLines ways={waysOf(noun, group, givenOf(sent))} />}
    />
  )
}

function waysOf(noun: string, group: string, given: GivenFilters) {
  return {
    CLI: asCli(`platform ${noun}`, flagsOf(given)),
    curl: asCurl({ method: 'GET', path: `/preview/v2/admin/${noun}${queryOf(given)}` }, location.origin),
    SDK: asSdk(`${group}.list`, given),
  }
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
export const accountColumn = {
  of: 'account',
  cell: ({ account }: { readonly account: string }) => <AccountLink id={account} />,
} as const

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

/** A filter by SKU. */
export const SkuFilter = readFilter('SKU', () => {
  const skus = usePlatformSkus()
  return { '': 'All', ...Object.fromEntries((skus.data ?? []).map(({ id, alias }) => [id, alias || id])) }
})
