/** What it takes to call one operation so that whoever holds the right succeeds. */
import type { World } from './world.ts'

/** What a call sends. `paths` are the same resources as in `params`, by their paths. */
export type Call = {
  params?: Record<string, string>
  paths?: Record<string, string>
  query?: string
  body?: object
}

export type Case = {
  /** Makes what the call needs. It is made anew after a call that changed something. */
  call?: (world: World) => Promise<Call> | Call
  /** The right is needed for the whole account, although other resources of the kind lie in workspaces. */
  account_wide?: true
  /** The body names something in the workspace: to whoever holds nothing there it does not exist. */
  names_in_body?: true
  /** What the call comes to for whoever holds the right, where no call can succeed yet. */
  status?: number
  /** Nothing that was made before it is there afterwards. */
  ends_world?: true
}

/** A call with one resource in its path. */
export function onOne(make: (world: World) => Promise<{ id: string; resource_path?: string }>, body?: object): Case {
  return {
    call: async (world) => {
      const { id, resource_path } = await make(world)
      return {
        params: { id },
        ...(resource_path ? { paths: { id: resource_path } } : {}),
        ...(body ? { body } : {}),
      }
    },
  }
}
