import { createFault, deleteFault, listFaults } from '@bourse/api/sandbox/faults.ts'
import { handle, handleRuntime } from '../../core/http/routes.ts'
import * as faults from './faults.service.ts'

export const faultRoutes = [
  handleRuntime(createFault, (runtime, { body }) => faults.createFault(runtime, body)),
  handle(listFaults, (ctx) => faults.listFaults(ctx)),
  handleRuntime(deleteFault, (runtime, { params }) => faults.deleteFault(runtime, params.id)),
]
