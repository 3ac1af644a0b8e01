// Known by name and place, and answered with 501. To serve one, move it into the file of its resource and give it a shape.
import { unserved } from '../operation.ts'

export const tablesUnserved = {
  importTable: unserved('POST', '/v1/tables/{table}/import'),
}
