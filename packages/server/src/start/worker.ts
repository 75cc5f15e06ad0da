/** The side of a worker: what it hears from the process that started it, and tells it. */
import cluster from 'node:cluster'
import type { Environment } from '@bourse/text/program.ts'
import type { Config } from '../config.ts'
import { after } from '../core/base/clock.ts'
import type { RateSiblings } from '../core/http/rate-exchange.ts'
import type { MetricsOfAll } from '../process/metrics.service.ts'
import type { ParentMessage, WorkerMessage } from './worker-messages.ts'

/** The connection of a worker with the process that started it. */
export type WorkerLink = {
  readonly number: number
  /** Resolves with the reason when the worker is to drain and end: it was told to, or nobody is there any more. */
  readonly stopped: Promise<string>
  readonly metrics: MetricsOfAll
  readonly rates: Omit<RateSiblings, 'workers'>
  tell(message: WorkerMessage): void
  /** Ends the connection, so that the process can end. */
  close(): void
}

/** The variable with the number of a worker. */
export const numberVariable = 'BOURSE_WORKER_NUMBER'

const joinedMilliseconds = 5_000

/** The link of this process, if it is a worker. */
export function openWorkerLink(variables: Environment): WorkerLink | undefined {
  const own = cluster.worker
  if (!own) return undefined
  const tell = (message: WorkerMessage, sent?: () => void) => {
    if (process.connected) process.send?.(message, undefined, undefined, sent)
  }
  let readOwn = async () => ''
  let applyDraws: Parameters<RateSiblings['hear']>[0] = () => {}
  let asked = 0
  const waiting = new Map<number, (page: string) => void>()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<string>()
  process.on('message', (message: ParentMessage) => {
    if (message.kind === 'stop') stop(message.signal)
    else if (message.kind === 'joined') waiting.get(message.id)?.(message.page)
    else if (message.kind === 'draws') applyDraws(message.draws)
    else if (message.kind === 'collect') {
      // Whoever asks goes on without a page that cannot be read.
      readOwn().then(
        (page) => tell({ kind: 'page', id: message.id, page }),
        () => {},
      )
    }
  })
  own.on('disconnect', () => {
    // Node ends a worker at once where this is not set, with all of its requests.
    own.exitedAfterDisconnect = true
    stop('The parent has ended')
  })
  const join = (page: string): Promise<string> => {
    const id = asked++
    const { promise, resolve } = Promise.withResolvers<string>()
    waiting.set(id, resolve)
    // A page without the others is better than none.
    const cancel = after(joinedMilliseconds, () => resolve(page))
    tell({ kind: 'scraped', id, page })
    return promise.finally(() => {
      cancel()
      waiting.delete(id)
    })
  }
  return {
    number: Number(variables[numberVariable] ?? own.id),
    stopped,
    metrics: {
      join,
      provide: (read) => {
        readOwn = read
      },
    },
    rates: {
      tell: (draws, sent) => tell({ kind: 'draws', draws }, sent),
      hear: (apply) => {
        applyDraws = apply
      },
    },
    tell,
    close: () => {
      if (process.connected) process.disconnect()
    },
  }
}

/** The configuration of one worker: its own name in the log. */
export function configOfWorker(config: Config, link: WorkerLink | undefined): Config {
  return link ? { ...config, replica_name: workerName(config, link.number) } : config
}

/** The name of a worker in the log. */
export function workerName({ replica_name }: Pick<Config, 'replica_name'>, number: number): string {
  return `${replica_name}-${number}`
}
