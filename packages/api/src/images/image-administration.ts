import { endpoint } from '../kit/endpoint.ts'
import { idOrPath } from '../kit/schema.ts'
import { deprecation, image } from './images.ts'

const area = 'administration'

const params = { id: idOrPath('image') }

export const publishPublicImage = endpoint({
  name: 'publish_public_image',
  method: 'POST',
  path: '/preview/v2/admin/images/:id/publish',
  area,
  summary: 'Publish an image',
  description:
    'Lets every account use a completed image of the workspace `public`. From then on only the platform operator ' +
    'can change it. Emits `image.published`.',
  params,
  success: 200,
  response: image,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'invalid_state', 'already_public'],
})

export const revokePublicImage = endpoint({
  name: 'revoke_public_image',
  method: 'POST',
  path: '/preview/v2/admin/images/:id/revoke',
  area,
  summary: 'Revoke a public image',
  description:
    'No new instance of any account starts from the image; running instances are not affected. Emits ' +
    '`image.revoked` for the platform account and each account with a template or a living instance of it. ' +
    '`reinstate_public_image` ends it.',
  params,
  success: 200,
  response: image,
  access: 'platform:write',
  trust: {
    limited: 'networks',
    recent_sign_in: 'never',
    trail: 'entry',
    unasked: 'It takes an image away, which must not wait.',
  },
  consequence: 'destroys',
  scope: 'account',
  errors: ['forbidden', 'not_found', 'invalid_state'],
})

export const reinstatePublicImage = endpoint({
  name: 'reinstate_public_image',
  method: 'POST',
  path: '/preview/v2/admin/images/:id/reinstate',
  area,
  summary: 'Reinstate a public image',
  description:
    'New instances of all accounts can start from the revoked image again. Emits `image.reinstated` for the ' +
    'platform account and each account with a template or a living instance of it.',
  params,
  success: 200,
  response: image,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found', 'invalid_state'],
})

export const deprecatePublicImage = endpoint({
  name: 'deprecate_public_image',
  method: 'POST',
  path: '/preview/v2/admin/images/:id/deprecate',
  area,
  summary: 'Deprecate a public image',
  description:
    'Marks the image as outdated, with a message for people; instances can still start from it. Emits ' +
    '`image.deprecated` for the platform account and each account with a template or a living instance of it.',
  params,
  body: deprecation,
  success: 200,
  response: image,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'It gives nothing.' },
  scope: 'account',
  errors: ['forbidden', 'not_found', 'invalid_state'],
})

export const operations = [publishPublicImage, revokePublicImage, reinstatePublicImage, deprecatePublicImage] as const
