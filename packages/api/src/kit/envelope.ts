import { type ErrorType, errorCodes } from './errors.ts'
import { array, nullable, oneOf, optional, resource, text } from './schema.ts'

const types = [...new Set(Object.values(errorCodes).map(({ type }) => type))] as ErrorType[]

export const errorDetail = resource('ErrorDetail', 'The error of one part of a request.', {
  field: optional(
    nullable(text({ max: 255, description: 'Dotted path, parameter or header; `null` means the whole request.' })),
  ),
  code: text({ max: 64, description: 'The error code; see the error pages.' }),
  message: text({ max: 1024, description: 'What is wrong, for people.' }),
})

export const errorEnvelope = resource('ErrorEnvelope', 'The body of every error response.', {
  error: resource('Error', 'What is wrong with the request, or that the server failed.', {
    type: oneOf(types, { description: 'The kind of error.' }),
    message: text({ max: 1024, description: 'What is wrong, for people.' }),
    details: optional(
      array(errorDetail, {
        min: 1,
        max: 20,
        description: 'With `invalid_request_error`, `conflict` and `unprocessable_entity`.',
      }),
    ),
  }),
})
