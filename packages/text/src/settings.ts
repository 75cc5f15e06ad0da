/** Variables of the environment as data: programs take bounds from it, docs/reference/configuration.md its rows. */

/** A variable of the environment. */
export type Setting = {
  readonly meaning: string
  /** The value that an unset variable has, if it has one. */
  readonly fallback?: string | number
  /** What an unset variable means, in words, where `fallback` does not say it. */
  readonly unset?: string
  /** What it may be, in words, where it is neither a whole number nor one of some words. */
  readonly form?: string
  /** The programs that read it. */
  readonly readers: readonly string[]
}

/** A variable with a whole number between two bounds. */
export type IntegerSetting = Setting & { readonly min: number; readonly max: number }

/** A variable with one of some words. */
export type WordSetting = Setting & { readonly words: readonly string[] }

/** Variables by name. */
export type SettingTable = Readonly<Record<string, Setting | IntegerSetting | WordSetting>>
