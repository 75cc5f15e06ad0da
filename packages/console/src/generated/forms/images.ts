/** Generated from the contract by `npm run gen`. Do not edit. */

export const deprecateImage = {
  operation: 'deprecate_image',
  command: 'images deprecate',
  fields: {
    message: {"label":"Message","shape":"text","hint":"Message for people, such as what to use instead.","max_length":1024},
  },
} as const
