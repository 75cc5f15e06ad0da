import { boolean, constant, id, name, nullable, oneOf, optional, path, resource, text } from './schema.ts'

export const workspaceSummary = resource('WorkspaceSummary', 'The workspace of a resource.', {
  object: constant('workspace'),
  id: id('workspace'),
  name: name(),
  resource_path: path('workspace'),
})

export const skuSummary = resource('SkuSummary', 'The SKU of a resource.', {
  object: constant('sku'),
  id: id('sku'),
  alias: text({ max: 255, description: 'Its name for people, such as `h100-west`.' }),
  simulated: optional(boolean({ description: 'Only if hosts of the SKU need not have its hardware.' })),
})

export const imageSummary = resource(
  'ImageSummary',
  'The image of an instance or template. It stays here after the image is deleted.',
  {
    object: constant('image'),
    id: id('image'),
    name: name(),
    resource_path: path('image'),
  },
)

export const poolSummary = resource('PoolSummary', 'The pool of a resource.', {
  object: constant('pool'),
  id: id('pool'),
  name: name(),
  resource_path: path('pool'),
})

export const instanceTemplateSummary = resource('InstanceTemplateSummary', 'The instance template of a deployment.', {
  object: constant('instance_template'),
  id: id('instance_template'),
  name: name(),
  resource_path: path('instance_template'),
})

/** Which kind of deployment an object is. */
export const deploymentObject = oneOf(['deployment', 'spot_deployment'], {
  description: '`deployment`: it uses what its pool has. `spot_deployment`: it also buys and sells nodes.',
})

export const deploymentSummary = resource(
  'DeploymentSummary',
  'The deployment that manages a resource. It stays here after the deployment is deleted.',
  {
    object: deploymentObject,
    id: id('deployment'),
    name: name(),
    resource_path: path('deployment'),
  },
)

export const procurementSummary = resource('ProcurementSummary', 'A procurement of a pool.', {
  object: constant('procurement'),
  id: id('procurement'),
  name: name(),
  resource_path: path('procurement'),
})

export const roleSummary = resource('RoleSummary', 'The role of a grant.', {
  object: constant('role'),
  id: id('role'),
  name: name(),
})

export const userSummary = resource('UserSummary', 'The user of a session.', {
  object: constant('user'),
  id: id('user'),
  name: name(),
  email: nullable(text({ max: 254, description: 'E-mail address. `null`: none.' })),
})

export const automationStatus = resource(
  'AutomationStatus',
  'The status of an automation, with the reason if it cannot work.',
  {
    state: oneOf(['info', 'warning', 'error'], {
      description:
        '`info`: it works. `warning`: it cannot act now, and tries again. `error`: something has to be changed.',
    }),
    code: text({ max: 64, description: 'Its activity, or why it cannot work: a word such as `no_offer_at_price`.' }),
    message: text({ max: 1024, description: 'The same as a sentence for people.' }),
  },
)

export const principal = resource(
  'Principal',
  'The creator of a resource: an API token, a user, or an automation of the service.',
  {
    type: oneOf(['token', 'user', 'system'], {
      description: 'An API token, a user, or the service itself.',
    }),
    id: optional(text({ max: 64, description: 'Token or user id; absent for the system.' })),
    name: optional(name({ description: 'The name of a token.' })),
    email: optional(nullable(text({ max: 254, description: 'The email address of a user.' }))),
  },
)
