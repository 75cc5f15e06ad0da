/** Chooses a file, says what it is before anything is sent, and begins or resumes its upload. */
import { type ImageLayout, type ImageProblem, isImageLayout } from '@bourse/api/images/image-format.rules.ts'
import { imageNameOf } from '@bourse/api/images/image-parts.rules.ts'
import type { Image, WorkspaceRef } from '@bourse/sdk'
import { shellWord } from '@bourse/text/shell.ts'
import { type FormEvent, useEffect, useState } from 'react'
import { ThingChoice } from '../live/forms/fields.tsx'
import { useAction } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Loading } from '../ui/page.tsx'
import { asCli } from '../ui/requests.rules.ts'
import { Size } from '../ui/values.tsx'
import { checkFile } from './file-check.ts'
import { beginUpload, resumeUpload } from './uploads.ts'

type UploadProps = {
  /** A file that was dropped on the page. */
  dropped?: File | undefined
  /** An image whose upload was interrupted. */
  resumed?: Image | undefined
  onClose: () => void
}

/** The dialog. */
export function UploadDialog(props: UploadProps) {
  const { resumed, onClose } = props
  return (
    <Dialog title={resumed ? `Go on with ${resumed.name}` : 'Upload an image'} isOpen onClose={onClose}>
      <UploadForm {...props} />
    </Dialog>
  )
}

function UploadForm({ dropped, resumed, onClose }: UploadProps) {
  const [file, setFile] = useState(dropped)
  const [name, setName] = useState<string>()
  const [workspace, setWorkspace] = useState('')
  const [acceptsUnknown, setAccepts] = useState(false)
  const found = useFileCheck(file)
  const shownName = name ?? (file ? (imageNameOf(file.name) ?? '') : '')
  const begin = useAction(
    async (chosen: File) => {
      if (resumed) return resumeUpload(chosen, resumed, { acceptsUnknown })
      const place = workspace === '' ? {} : { workspace: workspace as WorkspaceRef }
      await beginUpload(chosen, { ...(shownName === '' ? {} : { name: shownName }), ...place }, { acceptsUnknown })
    },
    { nouns: ['image'], onDone: onClose },
  )
  const isUsable = found !== undefined && (isImageLayout(found) || (acceptsUnknown && canBeAccepted(found)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (file && isUsable) begin.run(file)
  }
  return (
    <form className="stack" onSubmit={submit}>
      {resumed ? (
        <p>
          Choose the same file again. The server is asked which of its parts it has; they are compared with the file and
          not sent again.
        </p>
      ) : null}
      <Field label="File" hint={file ? <Size bytes={file.size} /> : 'qcow2, or a raw disk; at most 128 GiB.'}>
        <input type="file" onChange={({ target }) => setFile(target.files?.[0])} />
      </Field>
      {dropped && file === dropped ? <p className="mono">{dropped.name}</p> : null}
      {file && found === undefined ? <Loading /> : null}
      {found ? <Finding found={found} accepts={acceptsUnknown} onAccept={setAccepts} /> : null}
      {resumed ? null : (
        <>
          <Field label="Name" name="name" error={begin.error} hint="Unique in its workspace.">
            <input value={shownName} onChange={({ target }) => setName(target.value)} maxLength={255} />
          </Field>
          <Field label="Workspace" name="workspace" error={begin.error}>
            <ThingChoice kind="workspace" value={workspace} onChange={setWorkspace} empty="Your own" />
          </Field>
        </>
      )}
      <CodeLines
        ways={{
          CLI: asCli(`images upload ${shellWord(file?.name ?? 'base.qcow2')}`, {
            name: shownName,
            resume: resumed?.id,
            force: acceptsUnknown,
          }),
        }}
      />
      <ErrorText error={begin.error} fields={resumed ? [] : ['name', 'workspace']} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" disabled={!isUsable} isBusy={begin.isRunning}>
          {resumed ? 'Go on' : 'Upload'}
        </Button>
      </DialogActions>
    </form>
  )
}

type FoundLayout = ImageLayout | ImageProblem

function useFileCheck(file: File | undefined): FoundLayout | undefined {
  const [found, setFound] = useState<{ file: File; result: FoundLayout }>()
  useEffect(() => {
    if (!file) return
    let isCurrent = true
    const unreadable: ImageProblem = { code: 'image_refused', message: 'This file cannot be read.' }
    void checkFile(file)
      .catch(() => unreadable)
      .then((result) => isCurrent && setFound({ file, result }))
    return () => {
      isCurrent = false
    }
  }, [file])
  return found?.file === file ? found?.result : undefined
}

function canBeAccepted({ code }: ImageProblem): boolean {
  return code === 'image_format_unknown'
}

type FindingProps = { found: FoundLayout; accepts: boolean; onAccept: (accepts: boolean) => void }

/** What the file is, and what that means. */
function Finding({ found, accepts, onAccept }: FindingProps) {
  if (isImageLayout(found)) {
    const { format, virtual_size_bytes, contents, has_boot_signature } = found
    return (
      <div role="status">
        <p className="good">
          {format}
          {contents ? ` with ${contents}` : ''}, a disk of <Size bytes={virtual_size_bytes} />.
        </p>
        {has_boot_signature === false ? (
          <p className="warn">It has no boot sector: a host that boots its machines from the disk does not start it.</p>
        ) : null}
      </div>
    )
  }
  return (
    <div role="alert">
      <p className="bad">{found.message}</p>
      {canBeAccepted(found) ? (
        <label>
          <input type="checkbox" checked={accepts} onChange={({ target }) => onAccept(target.checked)} /> Use it as a
          raw disk nevertheless
        </label>
      ) : null}
    </div>
  )
}
