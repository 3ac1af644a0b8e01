// Recognizes the database's errors about concurrent writes.

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code

/** Unique violation: another row has the same key. */
export const isConflict = (error: unknown) => isCode(error, '23505')

/** Foreign key violation: the referenced row does not exist. */
export const isMissing = (error: unknown) => isCode(error, '23503')

/** Deadlock: this transaction was chosen as the victim and rolled back; it can be retried. */
export const isDeadlock = (error: unknown) => isCode(error, '40P01')
