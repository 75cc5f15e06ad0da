/** One image: what it is, what uses it, and what can be done with it. */
import type { Image } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { images } from '../generated/rows/images.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { ItemPage } from '../live/lists/item-page.tsx'
import { buttonClass } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { asCli, asCurl, asSdk } from '../ui/requests.rules.ts'
import { Moment } from '../ui/values.tsx'
import { AffectedList } from './affected-list.tsx'
import { ImageActions } from './image-actions.tsx'
import { isUnderWay, useUploads } from './uploads.ts'
import { UploadsPanel } from './uploads-panel.tsx'

/** The page. */
export function ImagePage() {
  return (
    <ItemPage
      operation="get_image"
      titleOf={({ name }) => name}
      help="What this image is and what starts from it. Its bytes never change; a newer disk is another image."
      guide="/docs/guides/images"
      parent={{ to: '/images', title: 'Images' }}
      actions={(image) => <ImageActions image={image} />}
    >
      {(image) => <ImageDetails image={image} />}
    </ItemPage>
  )
}

function ImageDetails({ image }: { image: Image }) {
  const { id, state, failure_reason, resource_path } = image
  const isUploading = useUploads().some((upload) => upload.image_id === id && isUnderWay(upload))
  const canGoOn = (state === 'started' || state === 'uploading') && !isUploading
  return (
    <>
      <UploadsPanel />
      <Notices image={image} />
      {failure_reason === null ? null : (
        <p className="bad">
          {failure_reason === 'digest_mismatch'
            ? 'What the server received is not the file that was read. Did it change meanwhile? Upload it again.'
            : 'The upload was not completed in time. Upload it again.'}
        </p>
      )}
      {canGoOn ? (
        <p>
          The upload was interrupted.{' '}
          <Link to="/images" search={{ resume: id }} className={buttonClass('primary')}>
            Go on
          </Link>
        </p>
      ) : null}
      <Details columns={facts} row={image} />
      <section>
        <h2>What uses it</h2>
        <AffectedList image={id} action={state === 'revoked' ? 'revoke' : 'reinstate'} />
      </section>
      <section>
        <h2>As a program</h2>
        <CodeLines
          ways={{
            CLI: asCli(`images download ${resource_path}`, {}),
            curl: asCurl({ method: 'GET', path: `/v2/images/${id}/download` }, location.origin),
            SDK: asSdk('images.getDownload', id),
          }}
        />
      </section>
    </>
  )
}

function Notices({ image: { deprecated_at, deprecation_message, revoked_at } }: { image: Image }) {
  return (
    <>
      {revoked_at === null ? null : (
        <p className="bad">
          Revoked <Moment at={revoked_at} />: no new instance starts from it.
        </p>
      )}
      {deprecated_at === null ? null : (
        <p className="warn">
          Outdated since <Moment at={deprecated_at} />
          {deprecation_message ? (
            <>
              : <bdi>{deprecation_message}</bdi>
            </>
          ) : (
            '.'
          )}
        </p>
      )}
    </>
  )
}

const facts = columnsOf(images, [
  'state',
  'format',
  { of: 'size_bytes', title: 'Size of the file' },
  { of: 'virtual_size_bytes', title: 'Size of the disk' },
  'workspace',
  { of: 'is_public', value: (row) => (row.is_public ? 'yes, every account can use it' : 'no') },
  { of: 'created_at', as: 'moment' },
  'id',
  { of: 'sha256', as: 'id' },
])
