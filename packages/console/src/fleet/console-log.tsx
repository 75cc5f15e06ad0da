/** The console of a machine, which follows what it writes. */
import type { Instance } from '@bourse/sdk'
import { counted } from '@bourse/text/formats/amounts.ts'
import { countText } from '@bourse/text/formats/short.ts'
import { useEffect, useRef, useState } from 'react'
import { streamClient } from '../live/stream-client.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { say } from '../ui/toasts.tsx'
import { type GrowingText, grown, lineCount, nothingYet, openReader } from './console-log.rules.ts'
import styles from './fleet.module.css'

/** What scrolls has to be reachable by keys. */
const reachable = { tabIndex: 0 }

/** The log with its tools: stop and resume, copy, download. */
export function ConsoleLog({ instance }: { instance: Instance }) {
  const [isFollowing, setFollowing] = useState(true)
  const { log, error, hasEnded } = useLog(instance, isFollowing)
  const isOver = hasEnded || instance.state === 'terminated'
  const place = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = place.current
    if (element && log.text.length > 0 && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [log])
  const copy = async () => {
    await navigator.clipboard.writeText(log.text)
    say('Copied the console log.')
  }
  return (
    <div className="stack">
      <div className="row no-print">
        <span className="quiet" role="status">
          {isOver ? 'Complete' : isFollowing ? 'Following' : 'Stopped'}
        </span>
        {isOver ? null : <Button onClick={() => setFollowing(!isFollowing)}>{isFollowing ? 'Stop' : 'Resume'}</Button>}
        <Button onClick={() => void copy()} disabled={log.text === ''}>
          Copy
        </Button>
        <Button onClick={() => save(`${instance.id}-console.txt`, log.text)} disabled={log.text === ''}>
          Download
        </Button>
        <span className="quiet small end">{counted(lineCount(log), 'line')}</span>
        {log.dropped > 0 ? (
          <span className="quiet small">
            {countText(log.dropped)} older characters are not shown: bourse instances logs {instance.id} has all.
          </span>
        ) : null}
      </div>
      <ErrorText error={error} />
      <pre
        ref={place}
        className={styles.log}
        role="log"
        aria-label="Console log"
        aria-live="off"
        {...reachable}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40
        }}
      >
        {log.text || (isOver ? 'It wrote nothing.' : 'Nothing yet: a machine writes here as soon as it boots.')}
      </pre>
    </div>
  )
}

/** Reads the console while it is followed; afterwards it goes on behind the last chunk. */
function useLog({ id }: Instance, isFollowing: boolean) {
  const [log, setLog] = useState<GrowingText>(nothingYet)
  const [error, setError] = useState<Error | null>(null)
  const [hasEnded, setEnded] = useState(false)
  const after = useRef<number>(undefined)
  const reader = useRef<ReturnType<typeof openReader>>(undefined)
  useEffect(() => {
    if (!isFollowing) return
    const stop = new AbortController()
    let waiting = ''
    const show = () => {
      const more = waiting
      waiting = ''
      if (more !== '') setLog((log) => grown(log, more))
    }
    // Chunks come in bursts: a burst is drawn once.
    const timer = setInterval(show, 100)
    const read = async () => {
      reader.current ??= openReader()
      const options = { signal: stop.signal, ...(after.current === undefined ? {} : { after: after.current }) }
      for await (const chunk of streamClient.instances.followLogs(id, options)) {
        after.current = chunk.seqnum
        waiting += reader.current.read(chunk.data)
      }
      if (stop.signal.aborted) return
      waiting += reader.current.end()
      setEnded(true)
      show()
    }
    setError(null)
    read().catch((problem: Error) => setError(problem))
    return () => {
      stop.abort()
      clearInterval(timer)
      show()
    }
  }, [id, isFollowing])
  return { log, error, hasEnded }
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
