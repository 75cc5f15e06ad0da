/** Reads the bodies of requests, up to a limit. Bytes beyond the limit are discarded. Does not parse. */
import type { IncomingMessage } from 'node:http'
import type { Response } from './request-context.ts'
import { refusalResponse } from './response.ts'

/** Whether a body follows the head of a request. */
export function bringsBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined
}

/**
 * Returns the body of a request, a refusal where it exceeds the limit, or `ended` where the client has disconnected.
 * Returns undefined at once where no body follows.
 */
export function readBody(
  incoming: IncomingMessage,
  bytesMax: number,
): Promise<Buffer | Response | 'ended'> | undefined {
  if (!bringsBody(incoming)) return undefined
  if (Number(incoming.headers['content-length']) > bytesMax) return Promise.resolve(tooLarge(bytesMax))
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    let length = 0
    const stop = (outcome: Buffer | Response | 'ended') => {
      incoming.off('data', take)
      incoming.off('end', finish)
      incoming.off('close', leave)
      resolve(outcome)
    }
    const take = (piece: Buffer) => {
      length += piece.length
      if (length > bytesMax) stop(tooLarge(bytesMax))
      else pieces.push(piece)
    }
    // A copy: the pieces are views of buffers that the socket's reads share.
    const finish = () => stop(Buffer.concat(pieces, length))
    const leave = () => stop('ended')
    incoming.on('data', take)
    incoming.once('end', finish)
    incoming.once('close', leave)
  })
}

function tooLarge(bytesMax: number): Response {
  return refusalResponse({ code: 'body_too_large', message: `The body is larger than ${bytesMax / 1024} KiB.` })
}
