/** The HTTP client of the agent. No other file of the agent calls the server, except for image downloads. */
import type {
  DesiredState,
  declareTunnel,
  enrolHost,
  getDesiredState,
  redeemUserDataTicket,
  reportHost,
} from '@bourse/api/fleet/agent.ts'
import { desiredWaitSecondsMax } from '@bourse/api/fleet/agent.ts'
import type { reportHardware } from '@bourse/api/fleet/agent-hardware.ts'
import type { reportMachineStatements } from '@bourse/api/fleet/agent-statements.ts'
import type { checkAgentUpdate, getFleetAgent, reportAgentVersion } from '@bourse/api/fleet/agent-updates.ts'
import type { reportBenchmark } from '@bourse/api/fleet/benchmarks.ts'
import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import type { LogChunk } from '@bourse/api/fleet/instance-access.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import { authorityRemedy } from '@bourse/text/private-authority.ts'
import { secondsAhead } from './clock.ts'
import { isServerRefusal, type ServerRefusal, serverRefusal } from './problems.ts'

/** A report of the host and its machines. */
export type Report = Input<typeof reportHost>['body']
type TunnelKeysReport = Input<typeof declareTunnel>['body']
type Introduction = Input<typeof enrolHost>['body']

/** The calls of an enrolled host. */
export type ServerCalls = {
  /** The desired state: at once if it is newer than `seen`, else after a wait; undefined if it did not change. */
  desired(seen: number | undefined, signal: AbortSignal): Promise<DesiredState | undefined>
  report(report: Report, signal: AbortSignal): Promise<Output<typeof reportHost>>
  declareTunnel(tunnel: TunnelKeysReport, signal: AbortSignal): Promise<void>
  /** Reports the hardware. Undefined: the server is older and does not take it. */
  reportHardware(
    report: { epoch: number; hardware: HostHardware },
    signal: AbortSignal,
  ): Promise<Output<typeof reportHardware> | undefined>
  /** Hands over statements about machines. Undefined: the server is older and does not take them. */
  reportStatements(
    report: Input<typeof reportMachineStatements>['body'],
    signal: AbortSignal,
  ): Promise<Output<typeof reportMachineStatements> | undefined>
  /** Reports the figures of a benchmark. Undefined: the server is older and does not take them. */
  reportBenchmark(
    report: Input<typeof reportBenchmark>['body'],
    signal: AbortSignal,
  ): Promise<Output<typeof reportBenchmark> | undefined>
  /** Reports the version of the agent. Undefined: the server is older and does not take it. */
  reportVersion(
    report: Input<typeof reportAgentVersion>['body'],
    signal: AbortSignal,
  ): Promise<Output<typeof reportAgentVersion> | undefined>
  /** Reports what the updater has done, and reads what it is to do. */
  checkUpdate(
    report: Input<typeof checkAgentUpdate>['body'],
    signal: AbortSignal,
  ): Promise<Output<typeof checkAgentUpdate>>
  userData(instance: string, ticket: string, signal: AbortSignal): Promise<Buffer>
  /** Appends chunks. Returns the next sequence number. */
  appendLogs(instance: string, chunks: readonly LogChunk[], signal: AbortSignal): Promise<number>
}

const answerMilliseconds = 20_000
/** The server refuses tokens if the clock is off by more than this. */
const clockSecondsOff = 60

/** Enrols a host. */
export async function callEnrol(server: string, body: Introduction): Promise<Output<typeof enrolHost>> {
  const signal = AbortSignal.timeout(answerMilliseconds)
  return (await send({ url: `${server}/agent/v1/enrol`, method: 'POST', body, signal })) as Output<typeof enrolHost>
}

/** Reads which version hosts run, without a token. */
export async function callFleetAgent(server: string, signal: AbortSignal): Promise<Output<typeof getFleetAgent>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMilliseconds)])
  return (await send({ url: `${server}/agent/v1/fleet`, method: 'GET', signal: limit })) as Output<typeof getFleetAgent>
}

/** The archive of a version, piece by piece; it needs no token. Throws a `ServerRefusal`, with status 0 if cut off. */
export async function* openArchive(server: string, sha256: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const response = await reach(`${server}/agent/v1/bundles/${sha256}`, { signal })
  if (!response.ok) await response.body?.cancel()
  if (!response.ok || !response.body) throw refusalOf(response, undefined)
  const reader = response.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        throw serverRefusal(`The archive was cut off: ${causeOf(error)}.`, 0)
      })
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Creates the calls of an enrolled host. `token` returns the token to send. */
export function serverCalls(server: string, token: () => Promise<string>): ServerCalls {
  const ask = async (method: string, path: string, { body, signal, milliseconds = answerMilliseconds }: ServerCall) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
    return send({ url: `${server}/agent/v1${path}`, method, body, signal: limit, token: await token() })
  }
  return {
    desired: async (seen, signal) => {
      const wait = `?generation=${seen}&wait_seconds=${desiredWaitSecondsMax}`
      const milliseconds = desiredWaitSecondsMax * 1000 + answerMilliseconds
      const response = await ask('GET', `/desired${seen === undefined ? '' : wait}`, { signal, milliseconds })
      return response as Output<typeof getDesiredState> | undefined
    },
    report: async (body, signal) => (await ask('POST', '/report', { body, signal })) as Output<typeof reportHost>,
    declareTunnel: async (body, signal) => void (await ask('PUT', '/tunnel', { body, signal })),
    reportHardware: async (body, signal) => {
      const response = await ask('PUT', '/hardware', { body, signal }).catch(unlessUnknown)
      return response as Output<typeof reportHardware> | undefined
    },
    reportStatements: async (body, signal) => {
      const response = await ask('PUT', '/statements', { body, signal }).catch(unlessUnknown)
      return response as Output<typeof reportMachineStatements> | undefined
    },
    reportBenchmark: async (body, signal) => {
      const response = await ask('PUT', '/benchmark', { body, signal }).catch(unlessUnknown)
      return response as Output<typeof reportBenchmark> | undefined
    },
    reportVersion: async (body, signal) => {
      const response = await ask('PUT', '/version', { body, signal }).catch(unlessUnknown)
      return response as Output<typeof reportAgentVersion> | undefined
    },
    checkUpdate: async (body, signal) =>
      (await ask('POST', '/update', { body, signal })) as Output<typeof checkAgentUpdate>,
    userData: async (instance, ticket, signal) => {
      const response = await ask('POST', `/instances/${instance}/user_data`, { body: { ticket }, signal })
      const { cloud_init_user_data } = response as Output<typeof redeemUserDataTicket>
      return Buffer.from(cloud_init_user_data, 'base64')
    },
    appendLogs: async (instance, chunks, signal) => {
      const response = await ask('POST', `/instances/${instance}/logs`, { body: { chunks }, signal })
      return (response as { next_seqnum: number }).next_seqnum
    },
  }
}

/** An older server does not know the call. */
function unlessUnknown(error: Error): undefined {
  if (isServerRefusal(error) && error.status === 404) return undefined
  throw error
}

type ServerCall = { readonly body?: unknown; readonly signal: AbortSignal; readonly milliseconds?: number }
type Sending = ServerCall & { readonly url: string; readonly method: string; readonly token?: string }

async function send({ url, method, body, signal, token }: Sending): Promise<unknown> {
  const headers: Record<string, string> = {}
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await reach(url, { method, headers, signal, ...sent })
  if (response.status === 204) return undefined
  const text = await response.text()
  const answer = parsed(text)
  if (response.ok && answer !== undefined) return answer
  throw refusalOf(response, answer)
}

function reach(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, redirect: 'error' }).catch((error) => {
    const remedy = authorityRemedy(error)
    const problem = `${new URL(url).origin} cannot be reached: ${causeOf(error)}.`
    throw serverRefusal(remedy === undefined ? problem : `${problem} ${remedy}`, 0)
  })
}

function refusalOf(response: Response, answer: unknown): ServerRefusal {
  const { status } = response
  const error = (
    answer as { error?: { type?: string; message?: string; details?: { code: string; message: string }[] } }
  )?.error
  const details = error?.details ?? []
  const [detail] = details
  const ahead = secondsAhead(response.headers.get('date'))
  const isOff = status === 401 && ahead !== undefined && Math.abs(ahead) > clockSecondsOff
  const said = details.length > 1 ? details.map(({ message }) => message).join(' ') : detail?.message
  const output = said ?? error?.message ?? `The server answered ${status}.`
  const side = (ahead ?? 0) > 0 ? 'ahead' : 'behind'
  const clock = ` The clock of this host is ${Math.abs(ahead ?? 0)} s ${side}. Correct it.`
  return serverRefusal(
    isOff ? output + clock : output,
    status,
    detail?.code ?? response.headers.get('x-error-code') ?? error?.type,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function causeOf(error: Error & { cause?: { code?: string; message?: string } }): string {
  return error.cause?.code ?? error.cause?.message ?? error.message
}
