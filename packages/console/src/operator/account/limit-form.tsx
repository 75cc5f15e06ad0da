/** Sets a limit of one account, or lets it follow the account's trust again. */
import type { Limit } from '@bourse/sdk'
import { putAccountLimit } from '../../generated/forms/operator.ts'
import { client } from '../../live/client.ts'
import { OperationDialog } from '../../live/forms/form-dialog.tsx'
import { bytesOf, bytesText } from '../../live/forms/typed.rules.ts'
import { useAction } from '../../live/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'

/** The dialog. An empty value means that there is no limit. */
export function LimitForm({ account, limit, onClose }: { account: string; limit: Limit; onClose: () => void }) {
  const { name, value, unit, source } = limit
  const params = { account, name }
  const isSize = unit === 'bytes'
  const reset = useAction(() => client.accountLimits.delete(params), { nouns: ['limit'], onDone: onClose })
  return (
    <OperationDialog
      form={putAccountLimit}
      params={params}
      title={`Limit of ${name.replaceAll('_', ' ')}`}
      action="Set"
      initial={isSize ? {} : { value: value === null ? '' : String(value) }}
      extras={{ size: isSize ? bytesText(value ?? undefined) : '' }}
      fields={[
        isSize
          ? { name: 'size', member: 'value', label: 'Value', placeholder: '1 TiB', hint: 'Empty: no limit.' }
          : { name: 'value', label: `Value (${unit.replaceAll('_', '-')})` },
      ]}
      check={({ size = '' }) =>
        isSize && size.trim() !== '' && bytesOf(size) === undefined ? { size: 'A size such as 512 GiB.' } : {}
      }
      finish={(body, { size = '' }) => (isSize ? { value: bytesOf(size) ?? null } : body)}
      nouns={['limit']}
      buttons={
        source === 'override' ? (
          <Button onClick={() => reset.run(undefined)} isBusy={reset.isRunning}>
            As the trust level says
          </Button>
        ) : null
      }
      onClose={onClose}
    >
      <ErrorText error={reset.error} />
    </OperationDialog>
  )
}
