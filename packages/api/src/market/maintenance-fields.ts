import { minute, nullable, oneOf, text } from '../kit/schema.ts'

/** What the operator announces about a maintenance: the fields of the window and of the notice in estimates. */
export const maintenanceFields = {
  start_at: minute({ description: 'When it begins, in Unix seconds, a multiple of 60.' }),
  end_at: minute({ description: 'When it ends, in Unix seconds, a multiple of 60.' }),
  maintenance_type: oneOf(['info', 'degraded_performance', 'unavailable'], {
    description: 'How severe the maintenance is.',
  }),
  title: text({ max: 255, description: 'Title, for customers.' }),
  description: text({ max: 4096, description: 'What happens, for customers.' }),
  action_message: nullable(text({ max: 1024, description: 'What customers should do. `null`: nothing.' })),
}
