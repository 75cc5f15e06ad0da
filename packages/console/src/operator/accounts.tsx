/** All accounts, with their balances. */
import type { AdministeredAccount } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useAction, useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Empty } from '../ui/page.tsx'
import { allOr, Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Moment, Money } from '../ui/values.tsx'
import { trustLevels } from './words.ts'

/** The list. */
export function Accounts() {
  const [{ trust_level, create }, setAddress] = useAddress({ trust_level: '', create: '' })
  const navigate = useNavigate()
  const list = useList('list_accounts', { trust_level }, { every: 30_000 })
  return (
    <div className="stack">
      <div className="row">
        <Select
          label="Trust"
          value={trust_level}
          onChange={(next) => setAddress({ trust_level: next })}
          options={allOr(trustLevels)}
        />
        <Button onClick={() => setAddress({ create: '1' })}>Create an account</Button>
      </div>
      <ListView
        name="Accounts"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/operator/accounts/$id', params: { id } })}
        empty={
          <Empty title="No account" command="bourse accounts create --id acme">
            An account is one customer or provider. It gets its first admin by a sign-in link, and money by “Top up”.
          </Empty>
        }
      />
      <CreateAccount isOpen={create === '1'} onClose={() => setAddress({ create: '' })} />
    </div>
  )
}

const columns: readonly Column<AdministeredAccount>[] = [
  {
    id: 'name',
    title: 'Name',
    value: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link to="/operator/accounts/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <span className="mono">{id}</span> },
  { id: 'trust', title: 'Trust', value: ({ trust_level }) => trust_level, cell: ({ trust_level }) => trust_level },
  {
    id: 'frozen',
    title: 'State',
    value: ({ is_frozen }) => is_frozen,
    cell: ({ is_frozen }) => <Badge word={is_frozen ? 'frozen' : 'active'} />,
  },
  {
    id: 'available',
    title: 'Available',
    value: ({ balance }) => balance.available_dollars,
    cell: ({ balance }) => <Money dollars={balance.available_dollars} />,
    isNumber: true,
  },
  {
    id: 'held',
    title: 'Held',
    value: ({ balance }) => balance.held_dollars,
    cell: ({ balance }) => <Money dollars={balance.held_dollars} />,
    isNumber: true,
  },
  {
    id: 'credit',
    title: 'Credit limit',
    value: ({ balance }) => balance.credit_limit_dollars,
    cell: ({ balance }) => <Money dollars={balance.credit_limit_dollars} />,
    isNumber: true,
    isExtra: true,
  },
  {
    id: 'created_at',
    title: 'Created',
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Moment at={created_at} />,
  },
]

function CreateAccount({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [fields, setFields] = useState({ id: '', name: '', trust_level: 'basic' })
  const create = useAction(client.accounts.create, {
    nouns: ['account'],
    onDone: ({ id }) => {
      say(`Created the account ${id}.`)
      setFields({ id: '', name: '', trust_level: 'basic' })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { id, name, trust_level } = fields
    create.run({ id, ...(name ? { name } : {}), trust_level: trust_level as 'basic' })
  }
  return (
    <Dialog title="Create an account" isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Id" name="id" error={create.error} hint="3 to 40 small letters, digits and hyphens; for good">
          <input
            required
            maxLength={40}
            value={fields.id}
            onChange={({ target }) => setFields({ ...fields, id: target.value })}
          />
        </Field>
        <Field label="Name" name="name" error={create.error}>
          <input
            maxLength={255}
            value={fields.name}
            onChange={({ target }) => setFields({ ...fields, name: target.value })}
          />
        </Field>
        <Field label="Trust" name="trust_level" error={create.error}>
          <select
            value={fields.trust_level}
            onChange={({ target }) => setFields({ ...fields, trust_level: target.value })}
          >
            {trustLevels.map((level) => (
              <option key={level}>{level}</option>
            ))}
          </select>
        </Field>
        <ErrorText error={create.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isRunning}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
