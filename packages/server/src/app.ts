/** The line of areas: what each brings to the program, in order. The map of the program. */
import type { Audit } from './core/auditor.ts'
import type { Reconciler } from './core/reconciler.ts'
import type { ReferrerTable } from './core/references.ts'
import type { Route } from './core/routes.ts'

/** What a server is made of. */
export type App = {
  readonly routes: readonly Route[]
  readonly reconcilers: readonly Reconciler[]
  readonly referrers: readonly ReferrerTable[]
  readonly audits: readonly Audit[]
}

/** Every area, left to right. The sandbox's own routes stand in their place only where it is on. */
export const app: App = {
  routes: [],
  reconcilers: [],
  referrers: [],
  audits: [],
}
