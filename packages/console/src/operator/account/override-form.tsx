/** The properties of a SKU that differ for one account. What the server refuses is said at its field. */
import type { AdministeredAccount, AdministeredSku, SkuOverride } from '@bourse/sdk'
import { useState } from 'react'
import { putSkuOverride } from '../../generated/forms/operator.ts'
import { useDraft } from '../../live/drafts/use-draft.ts'
import { Choice } from '../../live/forms/choice.tsx'
import { ConfirmOperation } from '../../live/forms/confirm.tsx'
import { Fields } from '../../live/forms/fields.tsx'
import { typedOf } from '../../live/forms/form.rules.ts'
import { FormFrame } from '../../live/forms/form-dialog.tsx'
import { useForm } from '../../live/forms/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { say } from '../../ui/toasts.tsx'
import { skuProperties } from '../sku-parts.tsx'
import { canDiffer, overrideBody, shownValue, usualHint } from './overrides.rules.ts'

type OverrideFormProps = {
  account: AdministeredAccount
  /** The SKUs that can be chosen; with an override, its SKU. */
  skus: readonly AdministeredSku[]
  override?: SkuOverride | undefined
  /** Whether the override was changed while it was open. */
  isNewer?: boolean
  onClose: () => void
}

/** The dialog, for a new override or an existing one. */
export function OverrideForm({ account, skus, override, isNewer = false, onClose }: OverrideFormProps) {
  // A draft belongs to the override as it was: what another operator has written since is not overwritten by it.
  const draft = `override.${account.id}.${override ? JSON.stringify([override.sku.id, override.properties]) : 'new'}`
  const [chosen, choose, forget] = useDraft<string>(`${draft} sku`, override?.sku.id ?? '')
  const [first] = useState(() => typedOf(putSkuOverride, override?.properties ?? {}))
  const sku = skus.find(({ id }) => id === chosen)
  const form = useForm(putSkuOverride, {
    params: { account: account.id, sku: chosen },
    draft,
    initial: first,
    finish: (body, typed) => overrideBody(body, typed, first, override?.properties),
    nouns: ['sku'],
    onDone: (saved) => {
      say(`${saved.sku.alias} has properties of its own for ${account.name}.`)
      close()
    },
  })
  const close = () => {
    forget()
    form.clear()
    onClose()
  }
  const isEmpty = Object.keys(form.body).length === 0
  const typed: Readonly<Record<string, string>> = form.typed
  const isChanged = Object.entries(first).some(([name, text]) => typed[name] !== text)
  const properties = skuProperties.filter(({ name }) => canDiffer(name, override))
  return (
    <Dialog
      title={override ? `${override.sku.alias} for ${account.name}` : `Override a SKU for ${account.name}`}
      isOpen
      onClose={close}
      isWide
    >
      <FormFrame
        form={form}
        action={override ? 'Save' : 'Override'}
        buttons={override ? <Remove account={account} sku={sku} override={override} onDone={close} /> : null}
        called={[account.id, sku?.alias || chosen]}
        hasLines={!isEmpty && chosen !== ''}
        isBlocked={form.isWrong || isEmpty || chosen === '' || !isChanged}
        onClose={close}
      >
        <About isNewer={isNewer} />
        {override ? null : (
          <Field label="SKU" name="sku" error={form.error}>
            <Choice
              required
              empty="Choose"
              value={chosen}
              onChange={choose}
              options={skus.map(({ id, alias }) => ({ id, name: alias }))}
            />
          </Field>
        )}
        {chosen === '' ? null : (
          <div className="grid">
            <Fields
              of={form}
              names={properties.map((part) => ({ ...part, hint: usualHint(sku, part.name), empty: 'As usual' }))}
            />
          </div>
        )}
        {override && isEmpty ? <p>All fields are empty: remove the override instead.</p> : null}
      </FormFrame>
    </Dialog>
  )
}

function About({ isNewer }: { isNewer: boolean }) {
  return (
    <>
      <p className="quiet">
        This account is shown these values, and machines get them: fewer processors, less memory. An empty field is as
        usual. Accelerators, form factor and RDMA type are those of the SKU. Books and prices stay the same.
      </p>
      {isNewer ? (
        <p className="warn" role="status">
          This override was changed in the meantime. The fields show what it has now; what was typed is not kept.
        </p>
      ) : null}
    </>
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
  const properties = skuProperties.filter((one) => shownValue(override.properties, one.name) !== undefined)
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking ? (
        <ConfirmOperation
          operation="delete_sku_override"
          params={{ account: account.id, sku: override.sku.id }}
          title={`Remove the override of ${name}?`}
          action="Remove the override"
          nouns={['sku']}
          said={`${name} is as usual for ${account.name}.`}
          onDone={onDone}
          onClose={() => setAsking(false)}
        >
          <p>For {account.name} the SKU is then as for all accounts:</p>
          <ul>
            {properties.map(({ name: one }) => (
              <li key={one}>
                {putSkuOverride.fields[one].label}: {shownValue(sku, one) ?? 'not said'} instead of{' '}
                {shownValue(override.properties, one)}
              </li>
            ))}
          </ul>
          <p>
            Machines that run keep what they have; those that start later get the usual. Orders and allocation stay.
            {sku?.listed === false
              ? ' The SKU is not listed: the account sees it from then on only if it has ever owned some of it.'
              : ''}
          </p>
        </ConfirmOperation>
      ) : null}
    </>
  )
}
