/** The images of the account, and their upload. */
import type { Image } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { WorkspaceFilter } from '../access/filters.tsx'
import { images } from '../generated/rows/images.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter } from '../live/lists/filters.tsx'
import { ListPage } from '../live/lists/list-page.tsx'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { useFileDrop } from './file-drop.ts'
import { UploadDialog } from './upload-dialog.tsx'
import styles from './uploads.module.css'
import { isUnderWay, useUploads } from './uploads.ts'
import { UploadsPanel } from './uploads-panel.tsx'

const states = ['started', 'uploading', 'verifying', 'completed', 'revoked', 'failed']

/** Whose images are listed. */
const owners = { '': 'this account', public: 'everybody: what the operator offers' }

const help = `An image is the disk that an instance boots from: a qcow2 file, or a raw disk. It is uploaded in parts, so
a broken connection costs one part, and it never changes once it is complete.`

/** The page. A file may be dropped anywhere on it. */
export function ImagesPage() {
  const [{ resume }, setAddress] = useAddress({ create: '', resume: '' })
  const [dropped, setDropped] = useState<File>()
  const isOver = useFileDrop((file) => {
    setDropped(file)
    setAddress({ create: '1' })
  })
  const isUploading = useUploads().some(isUnderWay)
  const close = () => {
    setDropped(undefined)
    setAddress({ create: '', resume: '' })
  }
  return (
    <div className={isOver ? styles.over : ''}>
      <ListPage
        title="Images"
        help={help}
        guide="/docs/guides/images"
        name="Images"
        operation="list_images"
        every={isUploading ? 3_000 : 15_000}
        columns={columns}
        page="/images/$id"
        filters={{ state: choiceFilter('State', states), of: choiceFilter('Of', owners), workspace: WorkspaceFilter }}
        query={({ of, ...rest }) => ({ ...rest, public: of === 'public' ? true : undefined })}
        create={{
          label: 'Upload an image',
          dialog: () => <UploadDialog dropped={dropped} onClose={close} />,
        }}
        empty={{ title: 'No image', command: 'bourse images upload base.qcow2', text: about }}
        above={({ rows }) => {
          const resumed = rows.find(({ id }) => id === resume)
          return (
            <>
              <UploadsPanel />
              {resumed ? <UploadDialog resumed={resumed} onClose={close} /> : null}
            </>
          )
        }}
      />
    </div>
  )
}

const about = `Drop a disk image here: qcow2, or a raw disk with a partition table or a file system. Instances start
also from the images that the operator offers to everybody, without an upload.`

const columns = columnsOf(
  images,
  [
    'name',
    {
      of: 'state',
      cell: (image) => (
        <span className="row">
          <Badge word={image.state} />
          {image.deprecated_at === null ? null : <Badge word="deprecated" />}
          <GoOn image={image} />
        </span>
      ),
    },
    'workspace',
    'format',
    'size_bytes',
    'virtual_size_bytes',
    'created_at',
  ],
  ['id'],
)

/** A link to go on with an upload that was interrupted. */
function GoOn({ image: { id, name, state } }: { image: Image }) {
  const isBusy = useUploads().some((upload) => upload.image_id === id && isUnderWay(upload))
  if (isBusy || (state !== 'started' && state !== 'uploading')) return null
  return (
    <Link to="." search={(old) => ({ ...old, resume: id })} aria-label={`Go on with ${name}`}>
      Go on
    </Link>
  )
}
