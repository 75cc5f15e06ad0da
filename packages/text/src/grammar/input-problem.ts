/** An error of a text that cannot be read. The message says what is wrong, `remedy` what to type instead. */
export type InputProblem = Error & { readonly remedy: string | undefined }

/** Creates such an error. */
export function inputProblem(message: string, remedy?: string): InputProblem {
  return Object.assign(new Error(message), { name: 'InputProblem', remedy })
}

/** Whether an error is one. */
export function isInputProblem(thrown: unknown): thrown is InputProblem {
  return thrown instanceof Error && thrown.name === 'InputProblem'
}
