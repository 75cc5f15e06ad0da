/** Sends the requests of the fuzzer byte for byte over keep-alive connections. */
import { Agent, request as open } from 'node:http'
import { limitSeconds } from '../../../../../test/eventually.ts'
import type { WireRequest } from './requests.ts'

/** The response, or why there is none. */
export type WireResponse = {
  /** 0 without a response. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly milliseconds: number
  readonly failure: string | undefined
}

export type FuzzWire = Disposable & { send(sent: WireRequest): Promise<WireResponse> }

/** A slower response counts as none. Most come at once; one that waits for a world to be loaded takes a second. */
const answerMilliseconds = limitSeconds(2) * 1000

export function openWire(url: string): FuzzWire {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true })
  return {
    send: (sent) => send({ agent, hostname, port }, sent),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

type WireTarget = { agent: Agent; hostname: string; port: string }

function send(
  { agent, hostname, port }: WireTarget,
  { method, target, headers, body }: WireRequest,
): Promise<WireResponse> {
  const began = performance.now()
  return new Promise((resolve) => {
    const end = (part: Partial<WireResponse>) => {
      const milliseconds = performance.now() - began
      resolve({ status: 0, headers: {}, text: '', failure: undefined, ...part, milliseconds })
    }
    const request = open({ agent, hostname, port, method, path: target, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.once('error', ({ message }) => end({ failure: `the response was interrupted: ${message}` }))
      response.once('end', () => {
        const { statusCode: status = 0, headers: got } = response
        end({ status, headers: got, text: Buffer.concat(pieces).toString() })
      })
    })
    request.setTimeout(answerMilliseconds, () => request.destroy(new Error('no response in time')))
    request.once('error', ({ message }) => end({ failure: message }))
    request.end(body)
  })
}
