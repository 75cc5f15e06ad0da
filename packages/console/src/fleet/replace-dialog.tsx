/** Replaces an instance by a successor from an image, and shows what the successor takes over. */

import type { Instance, ReplaceInstanceBody } from '@bourse/sdk'
import { base64Of } from '@bourse/text/base64.ts'
import { withInput } from '@bourse/text/shell.ts'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { Choice } from '../live/forms/choice.tsx'
import { useAction } from '../live/queries.ts'
import { tagsText } from '../live/tags.rules.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Facts } from '../ui/page.tsx'
import { asCli, asCurl, asSdk } from '../ui/requests.rules.ts'
import { say } from '../ui/toasts.tsx'
import { useImages } from './choices.ts'
import { userDataOf } from './launch.rules.ts'
import { LoginFields } from './launch-fields.tsx'

type ReplaceProps = {
  instance: Instance
  isOpen: boolean
  onClose: () => void
  onReplaced: (successor: Instance) => void
}

/** The dialog. */
export function ReplaceDialog(props: ReplaceProps) {
  return (
    <Dialog title={`Replace ${props.instance.name}`} isOpen={props.isOpen} onClose={props.onClose} isWide>
      <ReplaceForm {...props} />
    </Dialog>
  )
}

function ReplaceForm({ instance, onClose, onReplaced }: ReplaceProps) {
  const images = useImages()
  const [draft, setDraft] = useState({ image: instance.image.id as string, name: '', keys: '', user_data: '' })
  const change = (next: Partial<typeof draft>) => setDraft({ ...draft, ...next })
  const replace = useAction((body: ReplaceInstanceBody) => client.instances.replace(instance.id, body), {
    nouns: ['instance'],
    onDone: (successor) => {
      say(`Replaced ${instance.name} by ${successor.name}.`)
      onReplaced(successor)
    },
  })
  const data = userDataOf(draft.user_data, draft.keys)
  const text = 'text' in data ? data.text : ''
  const body: ReplaceInstanceBody = {
    image: draft.image as ReplaceInstanceBody['image'],
    ...(draft.name.trim() === '' ? {} : { name: draft.name.trim() }),
    ...(text === '' ? {} : { cloud_init_user_data: base64Of(text) }),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft.image !== '' && 'text' in data) replace.run(body)
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>
        The machine and its disk end, and its successor starts on the same slot. It costs nothing beyond what is bought.
      </p>
      <div className="grid">
        <Field label="Image" name="image" error={replace.error}>
          <Choice value={draft.image} onChange={(image) => change({ image })} options={images} empty="Choose…" />
        </Field>
        <Field label="Name" name="name" error={replace.error} hint="Empty: a generated one. It has to be another name.">
          <input value={draft.name} onChange={({ target }) => change({ name: target.value })} autoComplete="off" />
        </Field>
      </div>
      <LoginFields
        draft={draft}
        onChange={change}
        error={replace.error}
        problemOf={(name) => ('wrong' in data && data.wrong === name ? data.message : undefined)}
      />
      {instance.cloud_init_user_data_used && text === '' ? (
        <p className="warn">
          Its user data is not taken over. Without any, nobody can log in to a machine of a public image.
        </p>
      ) : null}
      <Inherited instance={instance} />
      <CodeLines ways={waysOf(instance, draft, body, text)} />
      <ErrorText error={replace.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="danger" isBusy={replace.isRunning} disabled={draft.image === '' || 'wrong' in data}>
          Replace
        </Button>
      </DialogActions>
    </form>
  )
}

function waysOf(instance: Instance, draft: { image: string; name: string }, body: ReplaceInstanceBody, text: string) {
  const flags = {
    image: draft.image,
    name: draft.name.trim(),
    'cloud-init-user-data': text === '' ? '' : '-',
    yes: true,
  }
  const path = `/v2/instances/${instance.id}/replace`
  return {
    CLI: withInput(asCli(`instances replace ${instance.id}`, flags), text),
    curl: asCurl({ method: 'POST', path, body }, location.origin),
    SDK: asSdk('instances.replace', body).replace('(', `(${JSON.stringify(instance.id)}, `),
  }
}

/** What the successor takes over, and what it does not. */
function Inherited({ instance }: { instance: Instance }) {
  return (
    <section className="card" aria-label="What the successor takes over">
      <h3>The successor takes over</h3>
      <Facts
        facts={[
          ['Workspace', instance.workspace.name],
          ['Pool', instance.pool?.name ?? '–'],
          ['SKU', instance.sku.alias],
          ['Subnet', instance.subnet ?? 'isolated'],
          ['Public address', instance._preview_enable_public_ipv4 ? 'yes, another one' : 'none'],
          ['Firewall', instance._preview_firewall ?? '–'],
          ['InfiniBand partition', instance._preview_infiniband_partition ?? 'none'],
          ['Priority', instance.priority_level ?? '–'],
          ['Tags', tagsText(instance.tags) || '–'],
          ['Deployment', instance.managed_by?.name ?? 'none'],
        ]}
      />
      <p className="quiet small">Not taken over: the disk, the user data, the name, the host keys and the id.</p>
    </section>
  )
}
