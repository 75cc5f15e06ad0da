import { boolean, constant, id, name, nullable, oneOf, optional, path, resource, text } from './schema.ts'

/** A workspace inside other resources. */
export const workspaceSummary = resource('WorkspaceSummary', {
  object: constant('workspace'),
  id: id('workspace'),
  name: name(),
  resource_path: path('workspace'),
})

/** A SKU inside other resources. */
export const skuSummary = resource('SkuSummary', {
  object: constant('sku'),
  id: id('sku'),
  alias: text({ max: 255 }),
  simulated: optional(boolean({ description: 'Only if hosts of the SKU need not have its hardware.' })),
})

/** An image inside other resources; kept after the image's deletion. */
export const imageSummary = resource('ImageSummary', {
  object: constant('image'),
  id: id('image'),
  name: name(),
  resource_path: path('image'),
})

/** A pool inside other resources. */
export const poolSummary = resource('PoolSummary', {
  object: constant('pool'),
  id: id('pool'),
  name: name(),
  resource_path: path('pool'),
})

/** An instance template inside other resources. */
export const instanceTemplateSummary = resource('InstanceTemplateSummary', {
  object: constant('instance_template'),
  id: id('instance_template'),
  name: name(),
  resource_path: path('instance_template'),
})

/** A deployment of either kind inside other resources; kept after its deletion. */
export const deploymentSummary = resource('DeploymentSummary', {
  object: oneOf(['deployment', 'spot_deployment']),
  id: id('deployment'),
  name: name(),
  resource_path: path('deployment'),
})

/** A procurement inside other resources; kept after its deletion. */
export const procurementSummary = resource('ProcurementSummary', {
  object: constant('procurement'),
  id: id('procurement'),
  name: name(),
  resource_path: path('procurement'),
})

/** A role inside other resources. */
export const roleSummary = resource('RoleSummary', { object: constant('role'), id: id('role'), name: name() })

/** A user inside other resources. */
export const userSummary = resource('UserSummary', {
  object: constant('user'),
  id: id('user'),
  name: name(),
  email: nullable(text({ max: 254 })),
})

/** The status of an automation, with the reason if it cannot work. */
export const automationStatus = resource('AutomationStatus', {
  state: oneOf(['info', 'warning', 'error']),
  code: text({ max: 64 }),
  message: text({ max: 1024 }),
})

/** The creator of a resource: an API token, a user, or an automation of the service. */
export const principal = resource('Principal', {
  type: oneOf(['token', 'user', 'system']),
  id: optional(text({ max: 64, description: 'Token or user id; absent for the system.' })),
  name: optional(name({ description: 'The name of a token.' })),
  email: optional(nullable(text({ max: 254, description: 'The email address of a user.' }))),
})
