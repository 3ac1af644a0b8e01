// Known by name and place, and answered with 501. To serve one, move it into the file of its resource and give it a shape.
import { unserved } from '../operation.ts'

export const tablesUnserved = {
  importTable: unserved('POST', '/v1/tables/{table}/import'),
  getTableRow: unserved('GET', '/v1/tables/{table}/row'),
  findTableRows: unserved('POST', '/v1/tables/{table}/rows/find'),
  createTableRows: unserved('POST', '/v1/tables/{table}/rows'),
  updateTableRows: unserved('PUT', '/v1/tables/{table}/rows'),
  deleteTableRows: unserved('POST', '/v1/tables/{table}/rows/delete'),
  upsertTableRows: unserved('POST', '/v1/tables/{table}/rows/upsert'),
}
