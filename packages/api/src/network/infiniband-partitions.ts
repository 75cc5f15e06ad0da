import { endpoint } from '../kit/endpoint.ts'
import { namedChange, namedCreation, namedFilters, namedResource } from '../kit/named.ts'
import { idOrPath, name, optional, pageOf, type Static } from '../kit/schema.ts'

const area = 'InfiniBand partitions'

export const infinibandPartition = namedResource('infiniband_partition', {
  title: 'InfinibandPartition',
  description: 'An isolated group of instances on one InfiniBand fabric.',
  own: {
    infiniband_fabric: name({ description: 'Fabric of the SKUs whose instances may use it.' }),
  },
})
export type InfinibandPartition = Static<typeof infinibandPartition>

const params = { id: idOrPath('infiniband_partition') }

export const createInfinibandPartition = endpoint({
  name: 'create_infiniband_partition',
  method: 'POST',
  path: '/preview/v2/infiniband_partitions',
  area,
  summary: 'Create an InfiniBand partition',
  description:
    'Creates a closed group on one InfiniBand fabric: instances in it reach only each other there. Instances join ' +
    'it when they are created.',
  body: namedCreation({
    infiniband_fabric: name({
      description: 'InfiniBand fabric, such as `west-ib`: that of a SKU which you can see.',
    }),
  }),
  response: infinibandPartition,
  access: 'infiniband_partition:create',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  idempotent: true,
  errors: ['forbidden', 'name_taken', 'fabric_not_found', 'reference_not_found', 'limit_exceeded'],
})

export const listInfinibandPartitions = endpoint({
  name: 'list_infiniband_partitions',
  method: 'GET',
  path: '/preview/v2/infiniband_partitions',
  area,
  summary: 'List InfiniBand partitions',
  description: 'Newest first. `infiniband_fabric` shows only partitions on one fabric.',
  query: namedFilters('infiniband_partition', {
    prefix: 'ibpartc',
    own: {
      infiniband_fabric: optional(
        name({ description: 'Only partitions on this InfiniBand fabric, such as `west-ib`.' }),
      ),
    },
  }),
  response: pageOf(infinibandPartition, 'ibpartc'),
  access: 'infiniband_partition:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getInfinibandPartition = endpoint({
  name: 'get_infiniband_partition',
  method: 'GET',
  path: '/preview/v2/infiniband_partitions/:id',
  area,
  summary: 'Get an InfiniBand partition',
  description: 'Shows the name, the workspace and the fabric of a partition.',
  params,
  response: infinibandPartition,
  access: 'infiniband_partition:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const updateInfinibandPartition = endpoint({
  name: 'update_infiniband_partition',
  method: 'PATCH',
  path: '/preview/v2/infiniband_partitions/:id',
  area,
  summary: 'Change an InfiniBand partition',
  description: 'Renames a partition or replaces all of its tags. Its fabric stays, and so do the instances in it.',
  params,
  body: namedChange,
  response: infinibandPartition,
  access: 'infiniband_partition:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['forbidden', 'not_found', 'name_taken'],
})

export const deleteInfinibandPartition = endpoint({
  name: 'delete_infiniband_partition',
  method: 'DELETE',
  path: '/preview/v2/infiniband_partitions/:id',
  area,
  summary: 'Delete an InfiniBand partition',
  description: 'Refused with `in_use` while a template or a living instance uses it.',
  params,
  access: 'infiniband_partition:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'in_use'],
})

export const operations = [
  createInfinibandPartition,
  listInfinibandPartitions,
  getInfinibandPartition,
  updateInfinibandPartition,
  deleteInfinibandPartition,
] as const
