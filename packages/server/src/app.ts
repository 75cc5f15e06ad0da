/** The line of areas: what each brings to the program, in order. The map of the program. */
import type { Audit } from './core/auditor.ts'
import type { Reconciler } from './core/reconciler.ts'
import type { ReferrerTable } from './core/references.ts'
import type { Route } from './core/routes.ts'
import { accountRoutes } from './iam/accounts.routes.ts'
import { grantRoutes } from './iam/grants.routes.ts'
import { limitRoutes } from './iam/limits.routes.ts'
import { permissionRoutes } from './iam/permissions.routes.ts'
import { roleRoutes } from './iam/roles.routes.ts'
import { tokenRoutes } from './iam/tokens.routes.ts'
import { userRoutes } from './iam/users.routes.ts'
import { workspaceRoutes } from './iam/workspaces.routes.ts'

/** What a server is made of. */
export type App = {
  readonly routes: readonly Route[]
  readonly reconcilers: readonly Reconciler[]
  readonly referrers: readonly ReferrerTable[]
  readonly audits: readonly Audit[]
}

/** Every area, left to right. The sandbox's own routes stand in their place only where it is on. */
export const app: App = {
  routes: [
    ...accountRoutes,
    ...limitRoutes,
    ...workspaceRoutes,
    ...userRoutes,
    ...roleRoutes,
    ...grantRoutes,
    ...permissionRoutes,
    ...tokenRoutes,
  ],
  reconcilers: [],
  referrers: [],
  audits: [],
}
