import { endpoint } from '../kit/endpoint.ts'
import { namedChange, namedCreation, namedFilters, namedResource } from '../kit/named.ts'
import { idOrPath, name, optional, pageOf, type Static } from '../kit/schema.ts'

const area = 'InfiniBand partitions'

export const infinibandPartition = namedResource('infiniband_partition', {
  title: 'InfinibandPartition',
  description: 'An isolated group of machines on one InfiniBand fabric.',
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
  summary: 'Create an InfiniBand partition.',
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
  summary: 'List InfiniBand partitions, newest first.',
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
  summary: 'Read one InfiniBand partition.',
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
  summary: 'Rename an InfiniBand partition or replace its tags.',
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
  summary: 'Delete an InfiniBand partition that neither a template nor a living instance refers to.',
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
