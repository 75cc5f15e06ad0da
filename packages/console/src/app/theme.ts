/** Light or dark, as the reader chose in this browser; else as the system says. */
export type Theme = 'light' | 'dark' | 'system'

const key = 'bourse.theme'

/** The chosen theme. */
export function chosenTheme(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Applies a theme and remembers it. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  localStorage.setItem(key, theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
