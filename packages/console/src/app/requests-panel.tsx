/** What this tab asked of the API: the request behind each action, as a line that a program can run. */
import { useState, useSyncExternalStore } from 'react'
import { clearRequests, onRequests, type SentRequest, sentRequests } from '../live/requests.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { asCurl } from '../ui/requests.rules.ts'
import { Copyable } from '../ui/values.tsx'
import styles from './panels.module.css'
import { withResponses } from './requests.rules.ts'

/** The last requests, newest first. Newer ones are added when they are asked for: what is read stays in its place. */
export function RequestsPanel({ onClose }: { onClose: () => void }) {
  const requests = useSyncExternalStore(onRequests, sentRequests)
  const newest = requests[0]?.number ?? 0
  const [shownUntil, setShownUntil] = useState(newest)
  // Not those that are kept: of these, others push out what is just being read.
  const [shown, setShown] = useState(requests)
  const answered = withResponses(shown, requests)
  if (answered !== shown) setShown(answered)
  const newer = requests.filter(({ number }) => number > shownUntil)
  const showNewer = () => {
    setShown([...newer, ...answered])
    setShownUntil(newest)
  }
  const clear = () => {
    clearRequests()
    setShown([])
    setShownUntil(newest)
  }
  return (
    <Dialog title="Requests of this page" isOpen onClose={onClose} isWide>
      <p className="quiet">Everything that the console does, it does by the public API. Copy a line and run it.</p>
      <Button kind="plain" disabled={newer.length === 0} onClick={showNewer}>
        {newer.length === 0 ? 'No newer requests' : `Show ${newer.length} newer`}
      </Button>
      {answered.map((request) => (
        <Request key={request.number} request={request} />
      ))}
      <DialogActions>
        <Button onClick={clear}>Clear</Button>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function Request({ request }: { request: SentRequest }) {
  const { method, path, body, status, milliseconds, request_id } = request
  const isFailed = status !== undefined && (status === 0 || status >= 400)
  return (
    <details className={styles.request}>
      <summary>
        <code>{method}</code>
        <code>{path}</code>
        <span className={isFailed ? 'bad' : 'quiet'}>{status === undefined ? '…' : status || 'no response'}</span>
        <span className="quiet">{milliseconds === undefined ? '' : `${milliseconds} ms`}</span>
      </summary>
      <CodeLines ways={{ curl: asCurl({ method, path, body: body && JSON.parse(body) }, location.origin) }} />
      {request_id ? (
        <p>
          Request <Copyable text={request_id} />
        </p>
      ) : null}
    </details>
  )
}
