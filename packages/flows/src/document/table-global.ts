/** Returns the global name of a table: `OrdersTable` for both `Orders` and `OrdersTable`. */
export const tableGlobal = (name: string) =>
  name.endsWith('Table') ? name : `${name}Table`
