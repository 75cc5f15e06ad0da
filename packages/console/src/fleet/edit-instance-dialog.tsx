/** Renames an instance, and changes its tags and its priority. */
import type { Instance, UpdateInstanceBody } from '@bourse/sdk'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { Choice } from '../live/forms/choice.tsx'
import { useAction } from '../live/queries.ts'
import { tagsOf, tagsText } from '../live/tags.rules.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'

const priorities = ['yield', 'normal', 'preferred', 'critical'].map((id) => ({ id, name: id }))

type EditProps = { instance: Instance; isOpen: boolean; onClose: () => void }

/** The dialog. */
export function EditInstanceDialog({ instance, isOpen, onClose }: EditProps) {
  return (
    <Dialog title={`Edit ${instance.name}`} isOpen={isOpen} onClose={onClose}>
      <EditForm instance={instance} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ instance, onClose }: Omit<EditProps, 'isOpen'>) {
  const [draft, setDraft] = useState(() => draftOf(instance))
  const change = (next: Partial<Draft>) => setDraft({ ...draft, ...next })
  const save = useAction((body: UpdateInstanceBody) => client.instances.update(instance.id, body), {
    nouns: ['instance'],
    onDone: ({ name }) => {
      say(`Saved ${name}.`)
      onClose()
    },
  })
  const tags = tagsOf(draft.tags)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typeof tags !== 'string') save.run(changeOf(instance, draft, tags))
  }
  const { error } = save
  const problem = typeof tags === 'string' ? tags : undefined
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <Field label="Name" name="name" error={error}>
        <input value={draft.name} onChange={({ target }) => change({ name: target.value })} autoComplete="off" />
      </Field>
      <Field label="Tags" name="tags" error={error} wrong={problem} hint="key=value, by commas.">
        <input value={draft.tags} onChange={({ target }) => change({ tags: target.value })} autoComplete="off" />
      </Field>
      <Field label="Priority" name="priority_level" error={error} hint="Lower levels end first.">
        <Choice
          value={draft.priority}
          onChange={(priority) => change({ priority: priority || 'normal' })}
          options={priorities}
          empty="Default (normal)"
        />
      </Field>
      <ErrorText error={error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={save.isRunning}>
          Save
        </Button>
      </DialogActions>
    </form>
  )
}

type Draft = { name: string; tags: string; priority: string }

function draftOf({ name, tags, priority_level }: Instance): Draft {
  return { name, tags: tagsText(tags), priority: priority_level ?? 'normal' }
}

/** Only what was changed is sent: others may change the rest meanwhile. */
function changeOf(instance: Instance, draft: Draft, tags: Record<string, string>): UpdateInstanceBody {
  const before = draftOf(instance)
  const level = draft.priority as NonNullable<UpdateInstanceBody['priority_level']>
  return {
    ...(draft.name === before.name ? {} : { name: draft.name }),
    ...(draft.tags === before.tags ? {} : { tags }),
    ...(draft.priority === before.priority ? {} : { priority_level: level }),
  }
}
