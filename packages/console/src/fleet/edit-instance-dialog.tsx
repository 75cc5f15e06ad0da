/** Renames an instance, and changes its tags and its priority. */
import type { Instance } from '@bourse/sdk'
import { updateInstance } from '../generated/forms/fleet.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'

type EditInstanceProps = { instance: Instance; isOpen: boolean; onClose: () => void }

/** The dialog. */
export function EditInstanceDialog({ instance, isOpen, onClose }: EditInstanceProps) {
  if (!isOpen) return null
  return (
    <OperationDialog
      form={updateInstance}
      params={{ id: instance.id }}
      before={instance}
      title={`Edit ${instance.name}`}
      action="Save"
      fields={['name', 'tags', { name: 'priority_level', hint: 'Lower levels end first.', empty: 'Default (normal)' }]}
      nouns={['instance']}
      said={({ name }) => `Saved ${name}.`}
      onClose={onClose}
    />
  )
}
