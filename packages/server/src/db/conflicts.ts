/** Whether the database refused a row because another one holds its unique place. */
export const isConflict = (error: unknown) => error instanceof Error && 'code' in error && error.code === '23505'
