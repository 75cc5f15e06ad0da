/** The uploads of this tab with their progress. */
import { Link } from '@tanstack/react-router'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Duration, Size } from '../ui/values.tsx'
import { percentOf, secondsLeft, speedOf } from './upload.rules.ts'
import styles from './uploads.module.css'
import { forgetUpload, isUnderWay, stopUpload, type Upload, type UploadPhase, useUploads } from './uploads.ts'

const words: Readonly<Record<UploadPhase, string>> = {
  comparing: 'Asking the server what it has',
  sending: 'Uploading',
  completing: 'The server verifies it',
  done: 'Uploaded',
  stopped: 'Stopped. What was sent stays for 24 hours: go on by choosing the same file again.',
  failed: 'Failed. What was sent stays for 24 hours: go on by choosing the same file again.',
}

/** All of them, or nothing. */
export function UploadsPanel() {
  const uploads = useUploads()
  if (uploads.length === 0) return null
  return (
    <section className="stack" aria-label="Uploads">
      {uploads.map((upload) => (
        <UploadCard key={upload.image_id} upload={upload} />
      ))}
    </section>
  )
}

function UploadCard({ upload }: { upload: Upload }) {
  const { image_id, name, size_bytes, phase, there_bytes, kept_bytes, hashed_bytes, samples, error } = upload
  const speed = phase === 'sending' ? speedOf(samples) : undefined
  const left = secondsLeft(size_bytes - there_bytes, speed)
  const isBusy = isUnderWay(upload)
  return (
    <div className="card stack">
      <div className="row">
        <Link to="/images/$id" params={{ id: image_id }}>
          <bdi>{name}</bdi>
        </Link>
        <Badge word={phase} tone={phase === 'done' ? 'good' : phase === 'failed' ? 'bad' : 'busy'} />
        <span className={styles.buttons}>
          {isBusy ? (
            <Button onClick={() => stopUpload(image_id)}>Cancel the upload</Button>
          ) : (
            <Button onClick={() => forgetUpload(image_id)}>Dismiss</Button>
          )}
        </span>
      </div>
      <progress className={styles.bar} aria-label={`Upload of ${name}`} max={size_bytes} value={there_bytes} />
      <p className="quiet small">
        {percentOf(there_bytes, size_bytes)} % · <Size bytes={there_bytes} /> of <Size bytes={size_bytes} />
        {speed === undefined ? null : (
          <>
            {' · '}
            <Size bytes={Math.round(speed)} />
            /s
          </>
        )}
        {left === undefined || left === 0 ? null : (
          <>
            {' · '}
            <Duration seconds={left} /> left
          </>
        )}
        {kept_bytes === 0 ? null : (
          <>
            {' · '}
            <Size bytes={kept_bytes} /> were there already
          </>
        )}
        {isBusy && hashed_bytes < size_bytes ? ` · digest ${percentOf(hashed_bytes, size_bytes)} %` : ''}
      </p>
      <p role="status">{words[phase]}</p>
      <ErrorText error={error} />
    </div>
  )
}
