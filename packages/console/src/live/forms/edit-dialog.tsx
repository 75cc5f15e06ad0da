/** Changes a resource, or deletes it. */
import type { OperationName } from '@bourse/sdk'
import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ConfirmAny } from './confirm.tsx'
import type { Form } from './form.rules.ts'
import { AnyOperationDialog, type OperationDialogProps } from './form-dialog.tsx'

type EditProps<F extends Form> = Pick<OperationDialogProps<F>, 'form' | 'fields' | 'nouns' | 'onClose' | 'children'> & {
  row: { readonly id: string; readonly name: string | null }
  /** What it is called. Default: its name. */
  title?: string
  /** The operation that deletes it. */
  remove: Extract<OperationName, `delete_${string}`>
  /** What its deletion means. */
  deletion: ReactNode
}

/** The dialog. What it holds besides the fields is shown before a deletion too. */
export function EditDialog<const F extends Form>(props: EditProps<F>) {
  const { row, title = row.name ?? row.id, remove, deletion, nouns, onClose, children } = props
  const [isDeleting, setDeleting] = useState(false)
  const params = { id: row.id }
  if (!isDeleting) {
    return (
      <AnyOperationDialog<F>
        {...props}
        title={title}
        action="Save"
        params={params}
        before={row}
        said={(saved) => `Saved ${nameOf(saved) ?? title}.`}
        buttons={
          <Button kind="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        }
      />
    )
  }
  return (
    <ConfirmAny
      operation={remove}
      params={params}
      title={`Delete ${title}?`}
      action="Delete"
      nouns={nouns}
      said={`Deleted ${title}.`}
      onClose={onClose}
    >
      <p>{deletion}</p>
      {children}
    </ConfirmAny>
  )
}

function nameOf(saved: unknown): string | undefined {
  const { name } = { ...(saved as { name?: unknown }) }
  return typeof name === 'string' ? name : undefined
}
