/** Renames a resource of this page and replaces its tags, or deletes it; what refers to it is shown first. */
import { type ReactNode, useState } from 'react'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction } from '../live/queries.ts'
import { tagsText } from '../live/tags.rules.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { say } from '../ui/toasts.tsx'
import { type Changes, changesOf, type Edited } from './edit.rules.ts'
import { NameField, TagsField } from './network-fields.tsx'
import { Referrers, type ReferringField } from './referrers.tsx'

type EditProps = {
  row: Edited
  /** What it is, as a word of a sentence. */
  what: string
  /** The noun of its lists. */
  noun: Noun
  field: ReferringField
  onUpdate: (body: Changes) => Promise<unknown>
  onDelete: () => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** The dialog. */
export function EditDialog({ row, what, noun, field, onUpdate, onDelete, onClose, children }: EditProps) {
  const [before] = useState(row)
  const [name, setName] = useState(before.name)
  const [tags, setTags] = useState(tagsText(before.tags))
  const [isDeleting, setDeleting] = useState(false)
  const changes = changesOf(before, { name, tags })
  const save = useAction(() => onUpdate(changes), {
    nouns: [noun],
    onDone: () => {
      say(`Saved ${changes.name ?? row.name}.`)
      onClose()
    },
  })
  if (isDeleting) {
    return <DeleteDialog row={row} what={what} noun={noun} field={field} onDelete={onDelete} onClose={onClose} />
  }
  return (
    <Dialog title={row.name} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (Object.keys(changes).length === 0) onClose()
          else save.run(undefined)
        }}
      >
        {children}
        <NameField value={name} onChange={setName} error={save.error} isRequired />
        <TagsField value={tags} onChange={setTags} error={save.error} />
        <section>
          <h3>What refers to it</h3>
          <Referrers field={field} id={row.id} />
        </section>
        <ErrorText error={save.error} />
        <DialogActions>
          <Button kind="danger" onClick={() => setDeleting(true)}>
            Delete
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isRunning}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type DeleteProps = Pick<EditProps, 'row' | 'what' | 'noun' | 'field' | 'onDelete' | 'onClose'>

/** Asks before a resource is deleted, and shows what refers to it. */
export function DeleteDialog({ row, what, noun, field, onDelete, onClose }: DeleteProps) {
  const end = useAction((_: undefined) => onDelete(), {
    nouns: [noun],
    onDone: () => {
      say(`Deleted ${row.name}.`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${row.name}?`}
      action="Delete"
      isOpen
      onClose={onClose}
      onConfirm={() => end.run(undefined)}
      isBusy={end.isRunning}
      error={end.error}
    >
      <p>The {what} is refused deletion while a template or a living instance refers to it.</p>
      <Referrers field={field} id={row.id} />
    </ConfirmDialog>
  )
}
