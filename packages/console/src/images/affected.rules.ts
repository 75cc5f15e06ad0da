/** What hangs on an image. Pure. */
import type { Deployment, Instance, InstanceTemplate } from '@bourse/sdk'

/** What starts from an image, now or later. */
export type Affected = {
  /** Instances that have not started yet. */
  readonly waiting: readonly Pick<Instance, 'id' | 'name'>[]
  readonly running: readonly Pick<Instance, 'id' | 'name'>[]
  readonly templates: readonly Pick<InstanceTemplate, 'id' | 'name'>[]
  readonly deployments: readonly Pick<Deployment, 'id' | 'name'>[]
}

type AffectedResources = {
  readonly instances: readonly Pick<Instance, 'id' | 'name' | 'state'>[]
  readonly templates: Affected['templates']
  readonly deployments: readonly (Pick<Deployment, 'id' | 'name'> & {
    readonly instance_template: { readonly id: string }
  })[]
}

/** Deployments are affected by their templates. */
export function affectedBy({ instances, templates, deployments }: AffectedResources): Affected {
  const ids = new Set<string>(templates.map(({ id }) => id))
  return {
    waiting: instances.filter(({ state }) => state === 'awaiting_allocation'),
    running: instances.filter(({ state }) => state === 'running' || state === 'failed'),
    templates,
    deployments: deployments.filter(({ instance_template }) => ids.has(instance_template.id)),
  }
}

/** Whether nothing hangs on it. */
export function isUnused({ waiting, running, templates, deployments }: Affected): boolean {
  return waiting.length + running.length + templates.length + deployments.length === 0
}
