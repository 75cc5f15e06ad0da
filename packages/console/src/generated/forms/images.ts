/** Generated from the contract by `npm run gen`. Do not edit. */

export const deprecateImage = {
  operation: 'deprecate_image',
  command: 'images deprecate',
  fields: {
    message: {"label":"Message","shape":"text","hint":"What to use instead, for example.","max_length":1024},
  },
} as const
