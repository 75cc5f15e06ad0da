/** The images of the account, and their upload. */
import type { Image } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useNow } from '../live/clock.ts'
import type { LiveList } from '../live/queries.ts'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Freshness } from '../ui/freshness.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { allOr, Select } from '../ui/select.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Age, Copyable, Size } from '../ui/values.tsx'
import { useFileDrop } from './file-drop.ts'
import { UploadDialog } from './upload-dialog.tsx'
import styles from './uploads.module.css'
import { isUnderWay, useUploads } from './uploads.ts'
import { UploadsPanel } from './uploads-panel.tsx'

const states = ['started', 'uploading', 'verifying', 'completed', 'revoked', 'failed']

const help = `An image is the disk that an instance boots from: a qcow2 file, or a raw disk. It is uploaded in parts, so
a broken connection costs one part, and it never changes once it is complete.`

/** The page. A file may be dropped anywhere on it. */
export function ImagesPage() {
  const [address, setAddress] = useAddress({ state: '', sort: '', create: '', resume: '' })
  const [dropped, setDropped] = useState<File>()
  const isOver = useFileDrop((file) => {
    setDropped(file)
    setAddress({ create: '1' })
  })
  const isUploading = useUploads().some(isUnderWay)
  const list = useList('list_images', { state: address.state }, { every: isUploading ? 3_000 : 15_000 })
  const resumed = address.resume === '' ? undefined : list.rows.find(({ id }) => id === address.resume)
  const close = () => {
    setDropped(undefined)
    setAddress({ create: '', resume: '' })
  }
  return (
    <Page
      title="Images"
      help={help}
      guide="/docs/guides/images"
      actions={
        <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
          Upload an image
        </Button>
      }
    >
      <div className={isOver ? `stack ${styles.over}` : 'stack'}>
        <UploadsPanel />
        <Select
          label="State"
          value={address.state}
          onChange={(state) => setAddress({ state })}
          options={allOr(states)}
        />
        <ErrorText error={list.error} />
        <Listed list={list} sort={address.sort} onSort={(sort) => setAddress({ sort })} />
      </div>
      <UploadDialog
        isOpen={address.create !== '' || resumed !== undefined}
        dropped={dropped}
        resumed={resumed}
        onClose={close}
      />
    </Page>
  )
}

type ListedProps = { list: LiveList<Image>; sort: string; onSort: (sort: string) => void }

function Listed({ list, sort, onSort }: ListedProps) {
  const navigate = useNavigate()
  const now = useNow()
  const uploads = useUploads()
  if (list.isPending) return list.error ? null : <Loading />
  if (list.rows.length === 0) {
    return (
      <Empty title="No image" command="bourse images upload base.qcow2">
        Drop a disk image here: qcow2, or a raw disk with a partition table or a file system. Instances start from an
        image; what is public can be used without an upload.
      </Empty>
    )
  }
  const busy = new Set<string>(uploads.filter(isUnderWay).map(({ image_id }) => image_id))
  return (
    <Table
      name="Images"
      columns={columnsAt(now, busy)}
      rows={list.rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/images/$id', params: { id } })}
      sort={sort}
      onSort={onSort}
      more={list.more}
      note={<Freshness updatedAt={list.updatedAt} count={list.rows.length} hasMore={list.more.hasMore} />}
    />
  )
}

function columnsAt(now: number, busy: ReadonlySet<string>): readonly Column<Image>[] {
  return [
    {
      id: 'name',
      title: 'Name',
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link to="/images/$id" params={{ id }}>
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      title: 'State',
      value: ({ state }) => state,
      cell: (image) => (
        <span className="row">
          <Badge word={image.state} />
          {image.deprecated_at === null ? null : <Badge word="deprecated" />}
          {canGoOn(image, busy) ? <GoOn image={image} /> : null}
        </span>
      ),
    },
    { id: 'workspace', title: 'Workspace', value: (row) => row.workspace.name, cell: (row) => row.workspace.name },
    { id: 'format', title: 'Format', value: ({ format }) => format, cell: ({ format }) => format ?? '–' },
    {
      id: 'size_bytes',
      title: 'Size',
      isNumber: true,
      value: ({ size_bytes }) => size_bytes,
      cell: ({ size_bytes }) => (size_bytes === null ? '–' : <Size bytes={size_bytes} />),
    },
    {
      id: 'virtual_size_bytes',
      title: 'Disk',
      isNumber: true,
      value: (row) => row.virtual_size_bytes,
      cell: (row) => (row.virtual_size_bytes === null ? '–' : <Size bytes={row.virtual_size_bytes} />),
    },
    {
      id: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function canGoOn({ id, state }: Image, busy: ReadonlySet<string>): boolean {
  return (state === 'started' || state === 'uploading') && !busy.has(id)
}

function GoOn({ image: { id, name } }: { image: Image }) {
  return (
    <Link to="." search={(old) => ({ ...old, resume: id })} aria-label={`Go on with ${name}`}>
      Go on
    </Link>
  )
}
