/** The properties of a SKU that differ for one account. What the server refuses is said at its field. */
import type { AdministeredAccount, AdministeredSku, SkuId, SkuOverride } from '@bourse/sdk'
import { shellWord } from '@bourse/text/shell.ts'
import { type FormEvent, useState } from 'react'
import { client } from '../../live/client.ts'
import { useDraft } from '../../live/drafts/use-draft.ts'
import { useAction } from '../../live/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLines } from '../../ui/code-lines.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Field } from '../../ui/field.tsx'
import { asCli, asSdk } from '../../ui/requests.rules.ts'
import { say } from '../../ui/toasts.tsx'
import { SkuField } from '../sku-field.tsx'
import { type SkuFields, skuLabels, wrongOf } from '../sku-fields.rules.ts'
import {
  isOverrideChanged,
  overrideBody,
  overrideFields,
  overrideFlags,
  overrideTexts,
  shownValue,
  usualHint,
} from './overrides.rules.ts'

type FormProps = {
  account: AdministeredAccount
  /** The SKUs that can be chosen; with an override, its SKU. */
  skus: readonly AdministeredSku[]
  override?: SkuOverride | undefined
  /** Whether the override was changed while it was open. */
  isNewer?: boolean
  onClose: () => void
}

/** What is typed, and the write. It stays over a new sign-in. */
function useOverride({ account, override, onClose }: FormProps) {
  // A draft belongs to the override as it was: what another operator has written since is not overwritten by it.
  const about = `override.${account.id}.${override ? JSON.stringify([override.sku.id, override.properties]) : 'new'}`
  const initial = { sku: override?.sku.id ?? '', fields: overrideTexts(override?.properties) }
  const [draft, setDraft, forget] = useDraft<{ sku: string; fields: SkuFields }>(about, initial)
  const body = overrideBody(draft.fields, override?.properties)
  const close = () => {
    forget()
    onClose()
  }
  const save = useAction(() => client.skuOverrides.put({ account: account.id, sku: draft.sku as SkuId }, body), {
    nouns: ['sku'],
    onDone: ({ sku }: SkuOverride) => {
      say(`${sku.alias} has properties of its own for ${account.name}.`)
      close()
    },
  })
  return { draft, setDraft, body, save, close }
}

/** The dialog, for a new override or an existing one. */
export function OverrideForm(props: FormProps) {
  const { account, skus, override, isNewer = false } = props
  const { draft, setDraft, body, save, close } = useOverride(props)
  const sku = skus.find(({ id }) => id === draft.sku)
  const shown = overrideFields(override)
  const isWrong = shown.some((name) => wrongOf(name, draft.fields[name]) !== undefined)
  const isEmpty = Object.keys(body).length === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.run(undefined)
  }
  return (
    <Dialog
      title={override ? `${override.sku.alias} for ${account.name}` : `Override a SKU for ${account.name}`}
      isOpen
      onClose={close}
      isWide
    >
      <form className="stack" onSubmit={submit}>
        <p className="quiet">
          This account is shown these values, and machines get them: fewer processors, less memory. An empty field is as
          usual. Accelerators, form factor and RDMA type are those of the SKU. Books and prices stay the same.
        </p>
        {isNewer ? <IsNewer /> : null}
        {override ? null : (
          <Field label="SKU" name="sku" error={save.error}>
            <select required value={draft.sku} onChange={({ target }) => setDraft({ ...draft, sku: target.value })}>
              <option value="">Choose</option>
              {skus.map(({ id, alias }) => (
                <option key={id} value={id}>
                  {alias}
                </option>
              ))}
            </select>
          </Field>
        )}
        {draft.sku === '' ? null : (
          <div className="grid">
            {shown.map((name) => (
              <SkuField
                key={name}
                name={name}
                value={draft.fields[name]}
                error={save.error}
                hint={usualHint(sku, name)}
                unset="As usual"
                onChange={(value) => setDraft({ ...draft, fields: { ...draft.fields, [name]: value } })}
              />
            ))}
          </div>
        )}
        {override && isEmpty ? <p>All fields are empty: remove the override instead.</p> : null}
        <ErrorText error={save.error} />
        {isEmpty || draft.sku === '' ? null : <SameAsCommand account={account.id} sku={sku} body={body} />}
        <DialogActions>
          {override ? <Remove account={account} sku={sku} override={override} onDone={close} /> : null}
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={save.isRunning}
            disabled={isWrong || isEmpty || draft.sku === '' || !isOverrideChanged(draft.fields, override?.properties)}
          >
            {override ? 'Save' : 'Override'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function IsNewer() {
  return (
    <p className="warn" role="status">
      This override was changed in the meantime. The fields show what it has now; what was typed is not kept.
    </p>
  )
}

type SameProps = { account: string; sku: AdministeredSku | undefined; body: ReturnType<typeof overrideBody> }

function SameAsCommand({ account, sku, body }: SameProps) {
  const name = shellWord(sku?.alias || (sku?.id ?? 'SKU'))
  const params = `{ account: '${account}', sku: '${sku?.id ?? ''}' }`
  return (
    <CodeLines
      ways={{
        CLI: asCli(`sku-overrides put ${account} ${name}`, overrideFlags(body)),
        SDK: asSdk('skuOverrides.put', body).replace('(', `(${params}, `),
      }}
    />
  )
}

type RemoveProps = {
  account: AdministeredAccount
  sku: AdministeredSku | undefined
  override: SkuOverride
  onDone: () => void
}

/** Removes the override, after saying what the account sees then. */
function Remove({ account, sku, override, onDone }: RemoveProps) {
  const [isAsking, setAsking] = useState(false)
  const name = override.sku.alias
  const remove = useAction(() => client.skuOverrides.delete({ account: account.id, sku: override.sku.id }), {
    nouns: ['sku'],
    onDone: () => {
      say(`${name} is as usual for ${account.name}.`)
      onDone()
    },
  })
  const properties = overrideFields(override).filter((one) => shownValue(override.properties, one) !== undefined)
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Remove
      </Button>
      <ConfirmDialog
        title={`Remove the override of ${name}?`}
        action="Remove the override"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.run(undefined)}
        isBusy={remove.isRunning}
        error={remove.error}
      >
        <p>For {account.name} the SKU is then as for all accounts:</p>
        <ul>
          {properties.map((one) => (
            <li key={one}>
              {skuLabels[one]}: {shownValue(sku, one) ?? 'not said'} instead of {shownValue(override.properties, one)}
            </li>
          ))}
        </ul>
        <p>
          Machines that run keep what they have; those that start later get the usual. Orders and allocation stay.
          {sku?.listed === false
            ? ' The SKU is not listed: the account sees it from then on only if it has ever owned some of it.'
            : ''}
        </p>
      </ConfirmDialog>
    </>
  )
}
