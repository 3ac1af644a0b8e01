import { Type as T } from 'typebox'
import { closed, Json } from '../fields.ts'
import { operation } from '../operation.ts'

export const vrl = {
  runVrl: operation({
    method: 'POST',
    path: '/v1/admin/helper/vrl',
    access: 'workspace',
    permission: 'packages.read',
    audit: false,
    summary: 'Run a Vector Remap Language script',
    description: 'Returns the final value of `.` and the value of the last expression.',
    body: closed({ data: Json, script: T.String() }),
    response: closed({ data: Json, result: T.Optional(T.Unsafe<unknown>({})) }),
    errors: ['Runtime', 'OperationTimeout'],
  }),
}
