/** An agent that follows the desired state of its host over HTTP, at one server after another. */

import { pause } from '@bourse/text/time/pause.ts'
import { tokenMaker } from '../../../../agent/src/identity.ts'
import type { TestAgent } from '../../support/agents.ts'

type FollowedMachine = { generation: number; state: 'running' | 'stopped' }
type FollowedState = {
  generation: number
  epoch: number
  instances: { id: string; generation: number; action: 'run' | 'stop' }[]
}

/** An enrolled host, which any number of servers may get to know. */
export type EnrolledHost = Pick<TestAgent, 'host' | 'epoch' | 'key' | 'audience'>

export type FollowingAgent = AsyncDisposable & {
  /** The highest generation that it has applied. */
  generation(): number
  /** The instances whose machines run. */
  running(): string[]
}

/** Longer than a host may take to act, so that only a notification of the server ends a wait in time. */
const waitSeconds = 20
const pauseMilliseconds = 50

/** Starts an agent. It sends each request to one of the servers, and goes on after errors. */
export function startAgent(host: EnrolledHost, urls: readonly string[]): FollowingAgent {
  const machines = new Map<string, FollowedMachine>()
  const token = tokenMaker(host.key.private_key, host)
  const ended = new AbortController()
  let generation = 0
  let next = 0
  const request = async (method: string, path: string, body?: object): Promise<FollowedState | undefined> => {
    const response = await fetch(`${urls[next++ % urls.length]}/agent/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: ended.signal,
    })
    const text = await response.text()
    if (response.status >= 300) throw new Error(`${path} returned ${response.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const apply = (desired: FollowedState) => {
    if (desired.generation < generation) return
    generation = desired.generation
    for (const id of machines.keys()) if (!desired.instances.some((one) => one.id === id)) machines.delete(id)
    for (const { id, generation, action } of desired.instances) {
      const known = machines.get(id)
      if (known && generation < known.generation) continue
      if (action === 'stop') machines.set(id, { generation, state: 'stopped' })
      else if (!known || known.state === 'running' || generation > known.generation) {
        machines.set(id, { generation, state: 'running' })
      }
    }
  }
  const report = () => {
    const instances = [...machines].map(([id, machine]) => ({ id, ...machine }))
    return request('POST', '/report', { epoch: host.epoch, generation, health: 'healthy', instances })
  }
  const follow = async () => {
    while (!ended.signal.aborted) {
      const desired = await request('GET', `/desired?generation=${generation}&wait_seconds=${waitSeconds}`).catch(
        () => undefined,
      )
      if (desired) apply(desired)
      if (desired) await report().catch(() => {})
      else await pause(pauseMilliseconds, ended.signal)
    }
  }
  const running = follow()
  return {
    generation: () => generation,
    running: () => [...machines].filter(([, { state }]) => state === 'running').map(([id]) => id),
    [Symbol.asyncDispose]: async () => {
      ended.abort()
      await running
    },
  }
}
