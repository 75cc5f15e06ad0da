import type { TransferRoute } from '../../core/http/transfer.ts'
import { linkPath } from './sign-in-links.service.ts'
import { showLink, useLink } from './sign-in-pages.service.ts'

/** The pages by which people sign in. */
export const peoplePages: readonly TransferRoute[] = [
  { name: 'show_sign_in_link', method: 'GET', path: linkPath, is_page: true, run: showLink },
  { name: 'use_sign_in_link', method: 'POST', path: linkPath, is_page: true, run: useLink },
]
