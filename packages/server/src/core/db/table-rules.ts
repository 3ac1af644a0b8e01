/** Without their types: those use this module. */
export const tables = {
  migration: { owner: { leftOut: 'describes the database' } },
}
