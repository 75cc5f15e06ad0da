/** What can be done with an image; each action shows first what it affects. */
import { type ImageAction, type ImageState, isImageActionAllowed } from '@bourse/api/images/image-states.ts'
import type { Image } from '@bourse/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'
import { AffectedList } from './affected-list.tsx'

type AskedImageAction = 'revoke' | 'reinstate' | 'deprecate' | 'delete'

const revoking = `No new instance starts from a revoked image, and it cannot be used in new templates. Running
instances are not affected. It can be reinstated.`
const deprecating = `Marks the image as outdated, with a message for those who use it. Instances can still start from
it. The mark cannot be removed.`

const words: Readonly<Record<AskedImageAction, { title: string; done: string; text: string }>> = {
  revoke: { title: 'Revoke', done: 'Revoked', text: revoking },
  reinstate: { title: 'Reinstate', done: 'Reinstated', text: 'New instances can start from it again.' },
  deprecate: { title: 'Deprecate', done: 'Deprecated', text: deprecating },
  delete: { title: 'Delete', done: 'Deleted', text: 'The image and its bytes are gone for good.' },
}

/** The buttons of the page of an image. */
export function ImageActions({ image }: { image: Image }) {
  const [asked, setAsked] = useState<AskedImageAction>()
  const allows = (action: ImageAction) => isImageActionAllowed(action, image.state as ImageState)
  const download = useAction(async () => client.images.getDownload(image.id), {
    onDone: ({ url }) => location.assign(url),
  })
  return (
    <>
      {allows('download') ? (
        <Button onClick={() => download.run(undefined)} isBusy={download.isRunning}>
          Download
        </Button>
      ) : null}
      {allows('deprecate') ? <Button onClick={() => setAsked('deprecate')}>Deprecate</Button> : null}
      {allows('revoke') ? (
        <Button kind="danger" onClick={() => setAsked('revoke')}>
          Revoke
        </Button>
      ) : null}
      {allows('reinstate') ? <Button onClick={() => setAsked('reinstate')}>Reinstate</Button> : null}
      {allows('delete') ? (
        <Button kind="danger" onClick={() => setAsked('delete')}>
          Delete
        </Button>
      ) : null}
      <ErrorText error={download.error} />
      {asked ? <ActionDialog image={image} asked={asked} onClose={() => setAsked(undefined)} /> : null}
    </>
  )
}

type ActionDialogProps = { image: Image; asked: AskedImageAction; onClose: () => void }

function ActionDialog({ image, asked, onClose }: ActionDialogProps) {
  const { title, done, text } = words[asked]
  const [message, setMessage] = useState(image.deprecation_message ?? '')
  const navigate = useNavigate()
  const action = useAction(() => perform(asked, image, message), {
    nouns: ['image'],
    onDone: () => {
      say(`${done} ${image.name}.`)
      onClose()
      if (asked === 'delete') void navigate({ to: '/images' })
    },
  })
  return (
    <ConfirmDialog
      title={`${title} ${image.name}?`}
      action={title}
      isOpen
      onClose={onClose}
      onConfirm={() => action.run(undefined)}
      isBusy={action.isRunning}
      error={action.error}
      isDangerous={asked === 'revoke' || asked === 'delete'}
    >
      <p>{text}</p>
      {asked === 'delete' ? (
        <p>It is refused while a template or a living instance uses it.</p>
      ) : (
        <AffectedList image={image.id} action={asked} />
      )}
      {asked === 'deprecate' ? (
        <Field label="Message" name="message" error={action.error} hint="For example, which image to use instead.">
          <input value={message} onChange={({ target }) => setMessage(target.value)} maxLength={1024} />
        </Field>
      ) : null}
    </ConfirmDialog>
  )
}

async function perform(asked: AskedImageAction, { id }: Image, message: string): Promise<void> {
  if (asked === 'revoke') await client.images.revoke(id)
  else if (asked === 'reinstate') await client.images.reinstate(id)
  else if (asked === 'delete') await client.images.delete(id)
  else await client.images.deprecate(id, message === '' ? {} : { message })
}
