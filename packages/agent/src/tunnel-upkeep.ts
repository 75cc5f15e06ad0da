/** Declares the keys of the tunnel of this host to the server, and changes them. */
import type { DesiredTunnel } from '@bourse/api/fleet/agent.ts'
import { monotonic, nowSeconds } from './clock.ts'
import type { HostNetwork } from './network/host-network.ts'
import { isKnown, nextKeyStep } from './network/tunnel-key.rules.ts'
import { makeNextKey, openTunnelKeys, useNextKey } from './network/tunnel-keys.ts'
import { isServerRefusal } from './problems.ts'
import type { ServerCalls } from './server-calls.ts'

/** The keys of the tunnel of a host: which port they belong to, and how often they change. */
export type TunnelOptions = {
  readonly port: number
  /** Zero: only by command. */
  readonly change_every_seconds: number
}

type TunnelUpkeepOptions = TunnelOptions & {
  readonly directory: string
  readonly epoch: number
  readonly network: Pick<HostNetwork, 'rekey'>
  readonly calls: Pick<ServerCalls, 'declareTunnel'>
  readonly log: (message: string, fields: object) => void
}

/** Keeps the keys of one host. */
export type TunnelUpkeep = {
  /** Does what is due. `known` is the tunnel in the newest desired state. */
  step(known: DesiredTunnel | null, signal: AbortSignal): Promise<void>
  /** Why the server does not know the key; undefined if it does. */
  problem(): string | undefined
}

/** After a declaration the next desired state tells whether it was heard. */
const waitMilliseconds = 15_000

/** Keeps the keys of a host that can encrypt. */
export function openTunnelUpkeep(options: TunnelUpkeepOptions): TunnelUpkeep {
  const { directory, epoch, port, change_every_seconds, network, calls, log } = options
  let known_since: number | undefined
  let declaredAt: number | undefined
  let declared = ''
  let problem: string | undefined
  return {
    problem: () => problem,
    step: async (known, signal) => {
      const keys = await openTunnelKeys(directory)
      const own = { public_key: keys.current.public_key, next_public_key: keys.next?.public_key ?? null, port }
      const now = monotonic()
      if (!isKnown(own, known) || own.next_public_key === null) known_since = undefined
      else known_since ??= now
      const age_seconds = nowSeconds() - keys.made_at
      switch (nextKeyStep({ own, known, known_since, now, age_seconds, change_every_seconds })) {
        case 'declare': {
          const text = JSON.stringify(own)
          if (declared === text && now - (declaredAt ?? 0) < waitMilliseconds) return
          ;[declared, declaredAt] = [text, now]
          problem = await calls.declareTunnel({ epoch, ...own }, signal).then(() => undefined, refusalOf)
          if (problem !== undefined) log('The key of the tunnel could not be declared.', { error: problem })
          return
        }
        case 'make_next':
          log('The tunnel gets another key.', { public_key: await makeNextKey(directory) })
          return
        case 'use_next':
          await useNextKey(directory)
          await network.rekey()
          log('The tunnel uses its next key.', { public_key: own.next_public_key })
      }
    },
  }
}

function refusalOf(error: Error): string {
  if (!isServerRefusal(error)) throw error
  return error.message
}
