/** The variables of the command line and of the SDK. settings.ts reads them, and so does the reference. */
import type { SettingTable } from '@bourse/text/settings.ts'
import { formats } from '../output/formats.ts'

const everyCommand = 'every command that calls the API'

/** The variables of clients, in the order of the reference. */
export const clientVariables = {
  BOURSE_BASE_URL: {
    meaning: 'The URL of the server. The flag `--base-url` takes precedence.',
    form: 'an https URL; an http URL of this computer, or of another computer with `BOURSE_INSECURE_HTTP`',
    unset: 'the URL of the profile, or of `sandbox.env` in the data directory; SDK: `http://127.0.0.1:8080`',
    readers: [everyCommand, 'doctor', 'SDK'],
  },
  BOURSE_API_TOKEN: {
    meaning: 'The API token. It is a secret: whoever has it acts as you.',
    unset: 'the token of the profile or of `sandbox.env`, which is sent only to the server named there; SDK: required',
    readers: [everyCommand, 'doctor', 'SDK'],
  },
  BOURSE_PROFILE: {
    meaning: 'The profile with the server and the token. The flag `--profile` takes precedence.',
    unset: 'the profile in use, as `bourse profiles list` shows it',
    readers: [everyCommand, 'doctor'],
  },
  BOURSE_WORKSPACE: {
    meaning: 'The workspace of names and of new resources. The flag `--workspace` of a command takes precedence.',
    unset: 'the workspace of the profile, else the workspace of the token',
    readers: [everyCommand],
  },
  BOURSE_OUTPUT: {
    meaning: 'The format of output. The flag `--output` takes precedence.',
    words: formats,
    unset: 'the format of the profile, else a table',
    readers: ['every command that prints data'],
  },
  BOURSE_INSECURE_HTTP: {
    meaning: '`1`: the same as `--insecure-http`. The token is sent unencrypted to an http URL of another computer.',
    form: '`1`',
    readers: [everyCommand, 'doctor', 'agent enrol'],
  },
  BOURSE_COMPLETION_TIMEOUT: {
    meaning: 'How long the completion of a word waits for names from the server.',
    form: 'a time such as `300ms` or `2s`',
    fallback: '300ms',
    readers: ['completion'],
  },
  BOURSE_PLATFORM_TOKEN: {
    meaning: 'The token of the platform operator of a sandbox. `bourse start` writes it to `sandbox.env`.',
    readers: ['shells that load `sandbox.env`'],
  },
} as const satisfies SettingTable
