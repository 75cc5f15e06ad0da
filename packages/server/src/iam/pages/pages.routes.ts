import type { TransferRoute } from '../../core/http/transfer.ts'
import { devicePath } from '../people/device-logins.service.ts'
import { answerDevicePage, showDevicePage } from '../people/device-pages.service.ts'
import { signInPath } from '../people/pages.service.ts'
import { linkPath } from '../people/sign-in-links.service.ts'
import { filePaths, showScript, showStyle } from './files.service.ts'
import { showLink, useLink } from './link-pages.service.ts'
import { changePasskeys, passkeysPath, showPasskeys } from './passkeys-page.service.ts'
import { callbackPath, goToProvider, providerPath, returnFromProvider } from './provider-pages.service.ts'
import {
  againPath,
  recoveryPath,
  showSignIn,
  showSignOut,
  signInAgain,
  signOut,
  signOutPath,
  useRecoveryPage,
} from './sign-in-page.service.ts'

/** The pages by which people sign in. */
export const peoplePages: readonly TransferRoute[] = [
  { name: 'show_sign_in_page', method: 'GET', path: signInPath, is_page: true, run: showSignIn },
  { name: 'use_recovery_page', method: 'POST', path: recoveryPath, is_page: true, run: useRecoveryPage },
  { name: 'sign_in_again', method: 'POST', path: againPath, is_page: true, run: signInAgain },
  { name: 'show_sign_out_page', method: 'GET', path: signOutPath, is_page: true, run: showSignOut },
  { name: 'sign_out', method: 'POST', path: signOutPath, is_page: true, run: signOut },
  { name: 'show_sign_in_link', method: 'GET', path: linkPath, is_page: true, run: showLink },
  { name: 'use_sign_in_link', method: 'POST', path: linkPath, is_page: true, run: useLink },
  { name: 'go_to_provider', method: 'POST', path: providerPath, is_page: true, run: goToProvider },
  { name: 'return_from_provider', method: 'GET', path: callbackPath, is_page: true, run: returnFromProvider },
  { name: 'show_passkeys_page', method: 'GET', path: passkeysPath, is_page: true, run: showPasskeys },
  { name: 'change_passkeys_page', method: 'POST', path: passkeysPath, is_page: true, run: changePasskeys },
  { name: 'show_device_page', method: 'GET', path: devicePath, is_page: true, run: showDevicePage },
  { name: 'answer_device_page', method: 'POST', path: devicePath, is_page: true, run: answerDevicePage },
  { name: 'get_sign_in_style', method: 'GET', path: filePaths.style, run: showStyle },
  { name: 'get_sign_in_script', method: 'GET', path: filePaths.script, run: showScript },
]
