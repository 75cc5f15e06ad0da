import type { TransferRoute } from '../../core/http/transfer.ts'
import { devicePath } from './device-logins.service.ts'
import { answerDevicePage, showDevicePage } from './device-pages.service.ts'
import { linkPath } from './sign-in-links.service.ts'
import { showLink, useLink } from './sign-in-pages.service.ts'

/** The pages by which people sign in. */
export const peoplePages: readonly TransferRoute[] = [
  { name: 'show_sign_in_link', method: 'GET', path: linkPath, is_page: true, run: showLink },
  { name: 'use_sign_in_link', method: 'POST', path: linkPath, is_page: true, run: useLink },
  { name: 'show_device_page', method: 'GET', path: devicePath, is_page: true, run: showDevicePage },
  { name: 'answer_device_page', method: 'POST', path: devicePath, is_page: true, run: answerDevicePage },
]
