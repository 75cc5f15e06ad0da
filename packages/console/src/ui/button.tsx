/** Buttons, and links that look like them. */
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './button.module.css'

type ButtonKind = 'usual' | 'primary' | 'danger' | 'plain'
type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: ButtonKind
  isBusy?: boolean
  children: ReactNode
}

/** A button. While it is busy it cannot be pressed again. */
export function Button({ kind = 'usual', isBusy = false, disabled, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type === 'submit' ? 'submit' : 'button'}
      className={buttonClass(kind)}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {children}
    </button>
  )
}

/** The class of a link that looks like a button. */
export function buttonClass(kind: ButtonKind = 'usual'): string {
  return kind === 'usual' ? (styles.button as string) : `${styles.button} ${styles[kind]}`
}
