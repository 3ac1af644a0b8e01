// What the database says when two who write at once get in each other's way.

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/** Another row holds the unique place. */
export const isConflict = (error: unknown) => isCode(error, '23505')

/** What it refers to is not there, or no longer. */
export const isMissing = (error: unknown) => isCode(error, '23503')

/** Each waited for the other, and this one was chosen to give way: nothing of it was done, and it may try again. */
export const isDeadlock = (error: unknown) => isCode(error, '40P01')
