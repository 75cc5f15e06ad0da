/** What can be done with an image; each action shows first what it affects. */
import { type ImageAction, type ImageState, isImageActionAllowed } from '@bourse/api/images/image-states.ts'
import type { Image } from '@bourse/sdk'
import { useState } from 'react'
import { deprecateImage } from '../generated/forms/images.ts'
import { client } from '../live/client.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { AffectedList } from './affected-list.tsx'

/** What is asked about first, in the order of its buttons. */
const actions = ['deprecate', 'revoke', 'reinstate', 'delete'] as const
type AskedImageAction = (typeof actions)[number]

const labels: Readonly<Record<AskedImageAction, string>> = {
  deprecate: 'Deprecate',
  revoke: 'Revoke',
  reinstate: 'Reinstate',
  delete: 'Delete',
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
      {actions.filter(allows).map((action) => (
        <Button
          key={action}
          kind={action === 'revoke' || action === 'delete' ? 'danger' : 'usual'}
          onClick={() => setAsked(action)}
        >
          {labels[action]}
        </Button>
      ))}
      <ErrorText error={download.error} />
      {asked ? <ActionDialog image={image} asked={asked} onClose={() => setAsked(undefined)} /> : null}
    </>
  )
}

type ActionDialogProps = { image: Image; asked: AskedImageAction; onClose: () => void }

function ActionDialog({ image, asked, onClose }: ActionDialogProps) {
  const { id, name } = image
  const about = { params: { id }, title: `${labels[asked]} ${name}?`, action: labels[asked], onClose }
  const nouns = ['image'] as const
  switch (asked) {
    case 'deprecate':
      return (
        <OperationDialog
          {...about}
          form={deprecateImage}
          initial={{ message: image.deprecation_message ?? '' }}
          fields={['message']}
          nouns={nouns}
          said={() => `Deprecated ${name}.`}
        >
          <p>
            Marks the image as outdated, with a message for those who use it. Instances can still start from it. The
            mark cannot be removed.
          </p>
          <AffectedList image={id} action="deprecate" />
        </OperationDialog>
      )
    case 'revoke':
      return (
        <ConfirmOperation {...about} operation="revoke_image" nouns={nouns} said={`Revoked ${name}.`}>
          <p>
            No new instance starts from a revoked image, and it cannot be used in new templates. Running instances are
            not affected. It can be reinstated.
          </p>
          <AffectedList image={id} action="revoke" />
        </ConfirmOperation>
      )
    case 'reinstate':
      return (
        <ConfirmOperation
          {...about}
          operation="reinstate_image"
          isDangerous={false}
          nouns={nouns}
          said={`Reinstated ${name}.`}
        >
          <p>New instances can start from it again.</p>
          <AffectedList image={id} action="reinstate" />
        </ConfirmOperation>
      )
    case 'delete':
      return (
        <ConfirmOperation {...about} operation="delete_image" nouns={nouns} said={`Deleted ${name}.`} leadsTo="/images">
          <p>The image and its bytes are gone for good.</p>
          <p>It is refused while a template or a living instance uses it.</p>
        </ConfirmOperation>
      )
  }
}
