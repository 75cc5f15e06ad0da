/** The file of the settings of a new installation: what is set in it, and how values are written. */

/** A setting of an installation. */
export type SettingValue = { readonly name: string; readonly value: string }

/** The names of the settings that a file lists, set or not. */
export function listedSettings(text: string): string[] {
  return [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
}

/** The first setting that a file sets, if it sets one. */
export function firstSet(text: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/m.exec(text)?.[1]
}

/**
 * A text with settings: each stands where a line that begins with # shows it, or at the end. The values mean the same
 * to a shell, to systemd and to `--env-file`.
 */
export function withSettings(text: string, settings: readonly SettingValue[]): string {
  return settings.reduce((written, { name, value }) => {
    const line = `${name}=${quoted(value)}`
    const shown = new RegExp(`^#${name}=.*$`, 'm')
    return shown.test(written) ? written.replace(shown, () => line) : `${written.replace(/\n*$/, '\n')}${line}\n`
  }, text)
}

/** Whether a value can be written so that all programs that read the file read it alike. */
export function isWritable(value: string): boolean {
  return /^[\x20-\x7e\u00a0-\uffff]*$/u.test(value) && !/['\\]/.test(value)
}

function quoted(value: string): string {
  return /^[\w@%+=:,./?-]*$/.test(value) ? value : `'${value}'`
}
