import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { Interface, InterfaceChange, InterfaceSummary, NewInterface } from '../models/interface.ts'
import { operation } from '../operation.ts'

const answer = closed({ interface: Interface })
const list = closed({ interfaces: T.Array(InterfaceSummary), meta: Meta })
const byName = T.Object({ name: T.String(), version: T.String() })
const listing = T.Object({ ...paging, name: T.Optional(T.String()), version: T.Optional(T.String()) })

/** `{version}`: one exactly, a range of which the highest counts, or `latest`. */
export const interfaces = {
  createInterface: operation({
    method: 'POST',
    path: '/v1/admin/interfaces',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Publish a version of an interface: what integrations may implement, and plugins work through',
    body: NewInterface,
    response: answer,
    errors: ['Forbidden', 'AlreadyExists', 'InvalidIdentifier', 'InvalidJsonSchema', 'LimitExceeded'],
  }),
  listInterfaces: operation({
    method: 'GET',
    path: '/v1/admin/interfaces',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'List the interfaces of a workspace, newest first',
    query: listing,
    response: list,
    errors: ['InvalidQuery'],
  }),
  getInterface: operation({
    method: 'GET',
    path: '/v1/admin/interfaces/{id}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Look up an interface of the workspace',
    params: byId,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  updateInterface: operation({
    method: 'PUT',
    path: '/v1/admin/interfaces/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Change a version of an interface: what is given is set, null removes, the rest stays',
    params: byId,
    body: InterfaceChange,
    response: answer,
    errors: [
      'ResourceNotFound',
      'Forbidden',
      'BreakingChanges',
      'InvalidIdentifier',
      'InvalidJsonSchema',
      'LimitExceeded',
    ],
  }),
  deleteInterface: operation({
    method: 'DELETE',
    path: '/v1/admin/interfaces/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Delete a version of an interface that nothing implements or works through',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden', 'ReferenceConstraint'],
  }),
  getInterfaceByName: operation({
    method: 'GET',
    path: '/v1/admin/interfaces/{name}/{version}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Look up an interface of the workspace by its name and version',
    params: byName,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  listPublicInterfaces: operation({
    method: 'GET',
    path: '/v1/admin/hub/interfaces',
    access: 'account',
    summary: 'List the interfaces that workspaces of this server have made public, newest first',
    query: listing,
    response: list,
    errors: ['InvalidQuery'],
  }),
  getPublicInterfaceById: operation({
    method: 'GET',
    path: '/v1/admin/hub/interfaces/{id}',
    access: 'account',
    summary: 'Look up a public interface',
    params: byId,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
  getPublicInterface: operation({
    method: 'GET',
    path: '/v1/admin/hub/interfaces/{name}/{version}',
    access: 'account',
    summary: 'Look up a public interface by its name and version',
    params: byName,
    response: answer,
    errors: ['ResourceNotFound'],
  }),
}
