/**
 * Whether the time of a response to a failed sign-in tells what is known here: links, recovery codes, codes of programs
 * and passkeys that exist against those that do not.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { monotonicMilliseconds } from '../../packages/server/src/core/base/clock.ts'
import { createSeededRandom } from '../../packages/server/src/core/base/random.ts'
import { makePasskey, type SoftPasskey, signWith } from '../../packages/server/test/api/authenticator.ts'
import { type Browser, type BrowserResponse, browserOf, openBrowser } from '../../packages/server/test/api/browsers.ts'
import { makeLink, makeUser } from '../../packages/server/test/support/fixtures/people.ts'
import { openTestServer, type TestServer } from '../../packages/server/test/support/server.ts'
import { bench } from './bench.ts'
import { type BenchRow, rowOf } from './row.ts'

const prefix = 'sign_in_timing_'
const ways = ['link', 'device_code', 'passkey', 'recovery_code'] as const
/** Fewer wrong codes than one network may type in a minute. */
const codesPerMinute = 3

/** A way in: how to try it by what exists, or by what does not, and the status that both have. */
type Way = {
  readonly status: number
  /** What precedes a try, outside of its time. */
  prepare?(): Promise<unknown>
  run(isKnown: boolean): Promise<BrowserResponse>
}

/** `samples`: the tries by what does not exist; twice as many are by what exists. */
type PeopleSize = { readonly samples: number; readonly warmup: number; readonly shuffles: number }

/** The rows of the group `people`. */
export const peopleBench = bench<PeopleSize>({
  rows: ways.map((way) => prefix + way),
  sizes: { usual: { samples: 200, warmup: 20, shuffles: 1000 }, tiny: { samples: 2, warmup: 1, shuffles: 2 } },
  measure: async function* (size, wanted) {
    await using server = await openTestServer({ rate_multiplier: 1_000_000 })
    const all = await waysOf(server)
    for (const name of ways) {
      if (wanted(prefix + name)) yield timingRow(prefix + name, await measure(all[name], size), size)
    }
  },
})

async function waysOf(server: TestServer): Promise<Record<(typeof ways)[number], Way>> {
  const account = await server.account()
  const { id: user } = await makeUser(server, account)
  const browser = openBrowser(server)
  const { passkey, code } = await addPasskey(await browserOf(server, account, user), user)
  const link = await makeLink(server, account, user)
  const login = await server.call('start_device_login', { token: null, body: {} })
  return {
    link: {
      status: 410,
      run: (isKnown) => browser.submit(isKnown ? wrongEnd(link) : unknownLink(link), { answer: 'sign_in' }),
    },
    // The response itself tells that the program waits: whoever has its code may know.
    device_code: {
      status: 400,
      run: (isKnown) => {
        const device_code = isKnown ? login.device_code : randomBytes(32).toString('base64url')
        return browser.ask('POST', '/preview/v2/auth/device/token', { device_code })
      },
    },
    passkey: passkeyWay(browser, passkey),
    recovery_code: codeWay(server, browser, code),
  }
}

function passkeyWay(browser: Browser, passkey: SoftPasskey): Way {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let asked: Parameters<typeof signWith>[1] | undefined
  return {
    status: 401,
    prepare: async () => {
      asked = (await browser.ask('POST', '/preview/v2/auth/passkeys/challenge', {})).body
    },
    run: (isKnown) => {
      const id = isKnown ? passkey.id : randomBytes(passkey.id.length)
      if (!asked) throw new Error('There is no challenge.')
      const body = signWith({ ...passkey, id, key: privateKey }, asked, browser.origin)
      return browser.ask('POST', '/preview/v2/auth/passkeys/sign_in', body)
    },
  }
}

function codeWay(server: TestServer, browser: Browser, code: string): Way {
  let tried = 0
  return {
    status: 401,
    prepare: async () => {
      if (tried++ % codesPerMinute === 0) await server.advance(61)
    },
    run: (isKnown) => {
      const known = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0')
      const typed = isKnown ? known : (code.startsWith('0') ? '1' : '0') + known.slice(1)
      return browser.ask('POST', '/preview/v2/auth/recovery_code', { code: typed })
    },
  }
}

async function addPasskey(browser: Browser, user: string): Promise<{ passkey: SoftPasskey; code: string }> {
  const asked = await browser.ask('POST', '/preview/v2/auth/passkeys/registration', {})
  const { passkey, body } = makePasskey(asked.body, browser.origin)
  const added = await browser.ask('POST', `/preview/v2/users/${user}/passkeys`, body)
  if (added.status !== 201) throw new Error(added.text)
  return { passkey, code: added.body.recovery_codes[0] }
}

/** A link whose secret is wrong: a character before the last one, which has bits that nobody reads. */
function wrongEnd(link: string): string {
  return link.slice(0, -2) + (link.at(-2) === 'A' ? 'B' : 'A') + link.slice(-1)
}

function unknownLink(link: string): string {
  const at = link.lastIndexOf('/') + 1
  return link.slice(0, at) + (link[at] === 'A' ? 'B' : 'A') + link.slice(at + 1)
}

type Times = { readonly known: number[]; readonly unknown: number[]; readonly again: number[] }

/** Tries by what is known, by what is not, and by what is known again, in turns of changing order. */
async function measure({ status, prepare, run }: Way, { samples, warmup }: PeopleSize): Promise<Times> {
  const times: Times = { known: [], unknown: [], again: [] }
  const kinds = ['known', 'unknown', 'again'] as const
  for (let n = -warmup; n < samples; n++) {
    for (let turn = 0; turn < kinds.length; turn++) {
      const kind = kinds[(n + warmup + turn) % kinds.length] as (typeof kinds)[number]
      await prepare?.()
      const began = monotonicMilliseconds()
      const answer = await run(kind !== 'unknown')
      const took = monotonicMilliseconds() - began
      if (answer.status !== status) throw new Error(`${kind} answered ${answer.status}: ${answer.text}`)
      if (n >= 0) times[kind].push(took)
    }
  }
  return times
}

/** The goal is what chance makes of equal times: the largest quotient of two random halves of the known ones. */
function timingRow(name: string, { known, unknown, again }: Times, size: PeopleSize): BenchRow {
  const [ours, against] = [median([...known, ...again]), median(unknown)]
  const goal = name.endsWith('device_code') ? null : noiseOf([...known, ...again], size)
  // Neither may be the faster one.
  return rowOf({ name, ours, against, ratio: Math.max(ours / against, against / ours), better: 'less', goal })
}

function noiseOf(times: readonly number[], { samples, shuffles }: PeopleSize): number {
  const random = createSeededRandom('halves')
  let most = 1
  for (let n = 0; n < shuffles; n++) {
    const mixed = times.map((time) => [random.integer(2 ** 30), time] as const).sort(([a], [b]) => a - b)
    const [one, other] = [mixed.slice(0, samples), mixed.slice(samples)].map((half) => median(half.map(([, t]) => t)))
    const quotient = (one as number) / (other as number)
    most = Math.max(most, quotient, 1 / quotient)
  }
  return Math.round(most * 1000) / 1000
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle) - 1] as number)) / 2
}
