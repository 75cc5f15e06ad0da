import { type ErrorType, errorCodes } from './errors.ts'
import { array, nullable, oneOf, optional, resource, text } from './schema.ts'

const types = [...new Set(Object.values(errorCodes).map(({ type }) => type))] as ErrorType[]

/** What is wrong with one part of a request. */
export const errorDetail = resource('ErrorDetail', {
  field: optional(nullable(text({ max: 255, description: 'Dotted path, parameter or header; `null` = the whole.' }))),
  code: text({ max: 64, description: 'One of the codes of the answer; see the error pages.' }),
  message: text({ max: 1024, description: 'For people.' }),
})

/** The body of every answer that is not a success. */
export const errorEnvelope = resource('ErrorEnvelope', {
  error: resource('Error', {
    type: oneOf(types, { description: 'Constant for each kind of error.' }),
    message: text({ max: 1024, description: 'For people.' }),
    details: optional(
      array(errorDetail, {
        min: 1,
        max: 20,
        description: 'With `invalid_request_error`, `conflict` and `unprocessable_entity`.',
      }),
    ),
  }),
})
