/** Adds an SSH key of one's own. What is no public key stays in the browser: it may be a private one. */
import { isSshPublicKey, readSshPublicKey } from '@bourse/text/ssh/public-keys.ts'
import { createSshKey } from '../generated/forms/access.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'

/** The dialog. */
export function AddSshKey({ onClose }: { onClose: () => void }) {
  return (
    <OperationDialog
      form={createSshKey}
      title="Add an SSH key"
      action="Add"
      fields={[{ name: 'public_key', rows: 3 }, 'name']}
      check={({ public_key = '' }) => problemsOf(public_key)}
      // Nor does it stand in the lines for programs.
      finish={({ public_key, ...body }, typed) =>
        'public_key' in problemsOf(typed.public_key ?? '') ? body : { public_key, ...body }
      }
      said={({ name }) => `Added the key ${name}.`}
      nouns={['ssh_key']}
      onClose={onClose}
    >
      <p className="quiet small">
        Instances that you create from now on open to it. Those that are there stay as they are.
      </p>
    </OperationDialog>
  )
}

function problemsOf(text: string): { readonly public_key?: string } {
  if (text.trim() === '') return {}
  const read = readSshPublicKey(text)
  return isSshPublicKey(read) ? {} : { public_key: read.message }
}
