/** The user's input cannot be used; the message says why. */
export class InputError extends Error {
  override name = 'InputError'
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
