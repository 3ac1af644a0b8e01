/** What code calls a table: `Orders` and `OrdersTable` are both known as `OrdersTable`. */
export const tableGlobal = (name: string) => (name.endsWith('Table') ? name : `${name}Table`)
