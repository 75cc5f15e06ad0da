/** The byte stage of the fuzzer: valid and hostile requests, randomly cut, duplicated and changed. */
import { choicesOf, type RandomChoices } from '../../sim/choices.ts'
import { type RawFixtures, type RawSeed, rawSeeds } from './raw-seeds.ts'
import { converse } from './raw-socket.ts'
import { rawViolation } from './raw-verify.ts'

export type RawOptions = {
  readonly url: string
  readonly fixtures: RawFixtures
  readonly requests: number
  readonly seed: string
}

export type RawReport = {
  readonly sent: number
  readonly statuses: ReadonlyMap<number, number>
  /** Conversations without a response. */
  readonly silent: number
  readonly failures: readonly string[]
}

const workers = 24
const failuresMax = 5
const bytesMax = 60_000
const shrinksMax = 60

export async function fuzzRaw({ url, fixtures, requests, seed }: RawOptions): Promise<RawReport> {
  const choices = choicesOf(seed)
  const seeds = rawSeeds(fixtures).filter(({ bytes }) => bytes.length < bytesMax)
  const statuses = new Map<number, number>()
  const failures: string[] = []
  let sent = 0
  let silent = 0
  const step = async () => {
    sent += 1
    const pieces = drawPieces(seeds, choices)
    const received = await converse(url, pieces)
    if (received.responses.length === 0) silent += 1
    for (const { status } of received.responses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const violation = rawViolation(received)
    if (violation) failures.push(`${violation}\n  ${await explain(url, pieces, violation)}, seed ${seed}`)
  }
  const worker = async () => {
    while (sent < requests && failures.length < failuresMax) await step()
  }
  await Promise.all(Array.from({ length: workers }, worker))
  return { sent, statuses, silent, failures }
}

function drawPieces(seeds: readonly RawSeed[], choices: RandomChoices): Buffer[] {
  const base = choices.pick(seeds)
  let bytes = base.bytes
  for (let left = 1 + choices.integer(3); left > 0; left--) bytes = choices.pick(malformed)(bytes, choices, seeds)
  return choices.chance(30) ? split(bytes, choices) : [bytes]
}

function split(bytes: Buffer, choices: RandomChoices): Buffer[] {
  const cuts = Array.from({ length: 1 + choices.integer(5) }, () => choices.integer(bytes.length + 1)).sort(
    (a, b) => a - b,
  )
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length))
}

type BytesMalformer = (bytes: Buffer, choices: RandomChoices, seeds: readonly RawSeed[]) => Buffer

const odd = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '\t',
  ':',
  '%',
  '%zz',
  '%00',
  '\x7f',
  '\xff',
  '"',
  '{',
  ',',
  '/',
  '?',
  '#',
]

const malformed: readonly BytesMalformer[] = [
  (bytes, choices) => bytes.subarray(0, choices.integer(bytes.length + 1)),
  (bytes, choices) => bytes.subarray(choices.integer(bytes.length + 1)),
  (bytes) => Buffer.concat([bytes, bytes]),
  (bytes, choices, seeds) => Buffer.concat([bytes, choices.pick(seeds).bytes]).subarray(0, bytesMax),
  (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  (bytes, choices) => replaceSome(bytes, '\r\n', choices.pick(['\n', '\r', '\n\r', '\r\r\n', ' \r\n']), choices),
  (bytes, choices) => replaceSome(bytes, ' ', choices.pick(['', '  ', '\t', '\v', '\0']), choices),
  (bytes, choices) => replaceSome(bytes, ':', choices.pick(['', ' :', '::', '=']), choices),
  (bytes, choices) => insert(bytes, choices, Buffer.from(choices.pick(odd), 'latin1')),
  (bytes, choices) => insert(bytes, choices, Buffer.from([choices.integer(256)])),
  (bytes, choices) => {
    const at = choices.integer(bytes.length + 1)
    const length = choices.integer(40)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
  },
  (bytes, choices) => {
    const at = choices.integer(bytes.length + 1)
    const piece = bytes.subarray(at, at + choices.integer(200))
    return insert(bytes, choices, piece)
  },
  (bytes, choices) => {
    const copy = Buffer.from(bytes)
    if (copy.length > 0) copy[choices.integer(copy.length)] = choices.integer(256)
    return copy
  },
]

function insert(bytes: Buffer, choices: RandomChoices, piece: Buffer): Buffer {
  const at = choices.integer(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
}

function replaceSome(bytes: Buffer, from: string, to: string, choices: RandomChoices): Buffer {
  const text = bytes.toString('latin1')
  return Buffer.from(
    text.replaceAll(from, () => (choices.chance(30) ? to : from)),
    'latin1',
  )
}

/** The smallest bytes found with the same violation, as a command. */
async function explain(url: string, pieces: readonly Buffer[], violation: string): Promise<string> {
  const kind = violation.slice(0, 12)
  let best = Buffer.concat(pieces)
  let tries = 0
  for (let length = Math.ceil(best.length / 2); length >= 8 && tries < shrinksMax; length = Math.floor(length / 2)) {
    for (let at = 0; at < best.length && tries < shrinksMax; at += length) {
      tries += 1
      const smaller = Buffer.concat([best.subarray(0, at), best.subarray(at + length)])
      if (rawViolation(await converse(url, [smaller]))?.startsWith(kind)) best = smaller
    }
  }
  const { hostname, port } = new URL(url)
  return `echo ${best.toString('base64')} | base64 -d | nc -q 1 ${hostname} ${port}`
}
