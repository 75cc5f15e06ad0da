import { oneOf, text } from './schema.ts'

/** The facts about a running server that several answers have. */
export const buildFields = {
  version: text({ max: 64, description: 'Version of the server.' }),
  interface_version: text({ max: 64, description: 'Version of the API that it serves.' }),
  mode: oneOf(['production', 'sandbox'], {
    description: '`sandbox`: a server to try things on, with its own clock and simulated hosts.',
  }),
}
