/** Keeps the tunnel of a host as planned: makes it again when its process has died, and follows peers to new keys. */
import { isDeepStrictEqual } from 'node:util'
import { monotonic } from '../clock.ts'
import type { PlannedTunnel } from './tunnel.rules.ts'
import { applyTunnel, isTunnelUp, readFollowedKeys, removeTunnel, type TunnelSetup } from './tunnel.ts'

/** The tunnel of a host. Its functions are called one after the other. */
export type HostTunnel = {
  /**
   * Makes the tunnel as planned; null removes it. Does not throw: a tunnel that fails does not stop networks that do
   * without it, and their packets do not leave by another way.
   */
  apply(plan: PlannedTunnel | null): Promise<void>
  /** Makes it again if it is gone, or if a peer has changed its key. Costs nothing while neither can have happened. */
  watch(): Promise<void>
  /** Inspects the device at the next `apply`, even if the plan is the same. */
  invalidate(): void
  /** Why it could not be made; undefined if it could. */
  problem(): string | undefined
}

const retryMilliseconds = 10_000

/** The tunnel of a host with this device. Without a `kind` the host cannot have one. */
export function openHostTunnel(
  setup: Omit<TunnelSetup, 'kind'> & { kind: TunnelSetup['kind'] | undefined },
): HostTunnel {
  const { directory, device, kind } = setup
  // What was made is unknown at first: the device may be left from before a restart of the agent.
  let made: PlannedTunnel | null | undefined
  let wanted: PlannedTunnel | null = null
  let followed = new Set<string>()
  let problem: string | undefined
  let failedAt = 0

  const bring = async (plan: PlannedTunnel | null) => {
    if (plan === null) return removeTunnel({ directory, device })
    if (kind === undefined) throw new Error('this host has no WireGuard')
    await applyTunnel({ directory, device, kind }, plan)
    followed = await readFollowedKeys(plan)
  }
  const apply = async (plan: PlannedTunnel | null) => {
    wanted = plan
    const isMade = made !== undefined && isDeepStrictEqual(plan, made)
    if (isMade && (plan === null || isTunnelUp(device))) return
    made = undefined
    try {
      await bring(plan)
      made = plan
      problem = undefined
    } catch (error) {
      problem = (error as Error).message
      failedAt = monotonic()
    }
  }
  const hasChangedKeys = async (plan: PlannedTunnel) => {
    const isChanging = plan.peers.some(({ next_public_key }) => next_public_key !== null)
    return isChanging && !isDeepStrictEqual(await readFollowedKeys(plan), followed)
  }
  return {
    apply,
    watch: async () => {
      if (problem !== undefined && monotonic() - failedAt < retryMilliseconds) return
      // A device that gives no answer is made anew.
      if (made && isTunnelUp(device) && (await hasChangedKeys(made).catch(() => true))) made = undefined
      if (wanted !== null || problem !== undefined) await apply(wanted)
    },
    invalidate: () => {
      made = undefined
    },
    problem: () => problem,
  }
}
