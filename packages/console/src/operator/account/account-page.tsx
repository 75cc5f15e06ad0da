/** One account as the operator sees it: trust, money, limits, properties of SKUs that differ for it. */
import type { AdministeredAccount, Limit } from '@bourse/sdk'
import { countText } from '@bourse/text/formats/short.ts'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { accountLimits, accounts } from '../../generated/rows/operator.ts'
import { client } from '../../live/client.ts'
import { ConfirmOperation } from '../../live/forms/confirm.tsx'
import { columnsOf } from '../../live/lists/columns.ts'
import { Details } from '../../live/lists/details.tsx'
import { ListTab } from '../../live/lists/list-page.tsx'
import type { Noun } from '../../live/nouns.rules.ts'
import { useRead } from '../../live/queries.ts'
import { balanceColumns, creditColumn, frozenColumn } from '../../operator/accounts.tsx'
import { useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Size } from '../../ui/values.tsx'
import { AddFirstPerson } from '../create-account.tsx'
import { OperatorsOnly } from '../operators-only.tsx'
import { trustLevels } from '../words.ts'
import { LimitForm } from './limit-form.tsx'
import { Overrides } from './overrides.tsx'
import { Postings } from './postings.tsx'

const nouns: readonly Noun[] = ['account', 'limit', 'transaction', 'balance']

/** The page. */
export function AccountPage() {
  return (
    <OperatorsOnly>
      <OneAccount />
    </OperatorsOnly>
  )
}

function OneAccount() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data: account, error } = useRead(['account', 'administered', id], () => client.accounts.get(id), {
    every: 30_000,
  })
  return (
    <Page
      title={account?.name ?? id}
      parent={{ to: '/operator', search: { tab: 'accounts' }, title: 'Accounts' }}
      help={<>One account as the operator sees it. Each change here is in the audit trail of the account too.</>}
      guide="/docs/concepts/trust"
    >
      <p className="row">
        <span className="quiet">What it does:</span>
        {['orders', 'instances', 'pools', 'usage', 'credits'].map((tab) => (
          <Link key={tab} to="/operator" search={{ tab, account: id }}>
            {tab}
          </Link>
        ))}
      </p>
      <ErrorText error={error} />
      {account ? <Shown account={account} /> : error ? null : <Loading />}
    </Page>
  )
}

function Shown({ account }: { account: AdministeredAccount }) {
  const [{ tab }, setAddress] = useAddress({ tab: 'money', open: '', form: '', override: '' })
  const { id, balance } = account
  const tabs = [
    { id: 'money', title: 'Money', content: <Postings account={id} balance={balance} /> },
    { id: 'limits', title: 'Limits', content: <Limits account={id} /> },
    { id: 'overrides', title: 'SKU properties', content: <Overrides account={account} /> },
  ]
  return (
    <>
      <Actions account={account} />
      <Details columns={facts} row={account} />
      <Tabs
        tabs={tabs}
        value={tab}
        onChange={(next) => setAddress({ tab: next, open: '', form: '', override: '' }, { push: true })}
      />
    </>
  )
}

function Actions({ account: { id: account, is_frozen, is_platform, trust_level } }: { account: AdministeredAccount }) {
  const [isAsking, setAsking] = useState(false)
  const [level, setLevel] = useState<typeof trust_level>()
  const [isInviting, setInviting] = useState(false)
  const params = { account }
  return (
    <div className="row">
      <Select
        label="Trust"
        value={trust_level}
        onChange={(next) => setLevel(trustLevels.find((one) => one === next))}
        options={Object.fromEntries(trustLevels.map((one) => [one, one]))}
      />
      <Button kind={is_frozen ? 'usual' : 'danger'} disabled={is_platform} onClick={() => setAsking(true)}>
        {is_frozen ? 'Unfreeze' : 'Freeze'}
      </Button>
      <Button onClick={() => setInviting(true)}>Add a person</Button>
      {isInviting ? <AddFirstPerson account={account} onClose={() => setInviting(false)} /> : null}
      {level ? (
        <ConfirmOperation
          operation="set_trust_level"
          params={params}
          input={{ trust_level: level }}
          title={`Make the account ${level}?`}
          action="Make it so"
          isDangerous={false}
          nouns={nouns}
          said={`The account is ${level} now.`}
          onClose={() => setLevel(undefined)}
        >
          <p>
            It is {trust_level} now. The limits of the account follow its trust at once, except those that were set for
            it.
          </p>
        </ConfirmOperation>
      ) : null}
      {isAsking ? (
        <ConfirmOperation
          operation={is_frozen ? 'unfreeze_account' : 'freeze_account'}
          params={params}
          title={is_frozen ? 'Let the account act again?' : 'Freeze the account?'}
          action={is_frozen ? 'Unfreeze' : 'Freeze'}
          isDangerous={!is_frozen}
          nouns={nouns}
          said={is_frozen ? 'The account may act again.' : 'The account may only read now.'}
          onClose={() => setAsking(false)}
        >
          <p>
            {is_frozen
              ? 'It may trade and run instances again. Orders that were cancelled stay cancelled.'
              : 'It may only read. Its open orders are cancelled, and its automations stop. Instances go on.'}
          </p>
        </ConfirmOperation>
      ) : null}
    </div>
  )
}

function Limits({ account }: { account: string }) {
  return (
    <ListTab
      name="Limits"
      operation="list_account_limits"
      fixed={{ account }}
      columns={limitColumns}
      keyOf={({ name }) => name}
      opened={(limit, close) => <LimitForm account={account} limit={limit} onClose={close} />}
    />
  )
}

const limitColumns = columnsOf(accountLimits, [
  { of: 'name', title: 'Limit', as: 'word' },
  { of: 'value', none: 'none', cell: ({ value, unit }) => <Amount of={value} unit={unit} /> },
  { of: 'used', cell: ({ used, unit }) => <Amount of={used} unit={unit} /> },
  'unit',
  { of: 'source', title: 'From' },
])

/** An amount of a limit: sizes as people write them. */
function Amount({ of, unit }: { of: number | null; unit: Limit['unit'] }) {
  if (of === null) return '–'
  return unit === 'bytes' ? <Size bytes={of} /> : countText(of)
}

const facts = columnsOf(accounts, [
  frozenColumn,
  ...balanceColumns,
  creditColumn,
  { of: 'id', as: 'code' },
  { of: 'entity_type', none: 'not said' },
])
