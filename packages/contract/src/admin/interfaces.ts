import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import {
  Interface,
  InterfaceChange,
  InterfaceSummary,
  NewInterface,
} from '../models/integrations/interface.ts'
import { operation } from '../operation.ts'

const response = closed({ interface: Interface })
const list = closed({ interfaces: T.Array(InterfaceSummary), meta: Meta })
const byName = T.Object({ name: T.String(), version: T.String() })
const listing = T.Object({
  ...paging,
  name: T.Optional(T.String()),
  version: T.Optional(T.String()),
})

/** `{version}` is an exact version, a range (its highest version) or `latest`. */
export const interfaces = {
  createInterface: operation({
    method: 'POST',
    path: '/v1/admin/interfaces',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Publish a version of an interface',
    body: NewInterface,
    response,
    errors: [
      'Forbidden',
      'AlreadyExists',
      'InvalidIdentifier',
      'InvalidJsonSchema',
      'LimitExceeded',
    ],
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
    summary: 'Get an interface of the workspace',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  updateInterface: operation({
    method: 'PUT',
    path: '/v1/admin/interfaces/{id}',
    access: 'workspace',
    permission: 'packages.write',
    summary: 'Update a version of an interface',
    description:
      'Sets the given properties; null removes a property. All others stay unchanged.',
    params: byId,
    body: InterfaceChange,
    response,
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
    summary: 'Delete a version of an interface',
    description: 'No integration may implement it, and no plugin may use it.',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound', 'Forbidden', 'ReferenceConstraint'],
  }),
  getInterfaceByName: operation({
    method: 'GET',
    path: '/v1/admin/interfaces/{name}/{version}',
    access: 'workspace',
    permission: 'packages.read',
    summary: 'Get an interface by name and version',
    params: byName,
    response,
    errors: ['ResourceNotFound'],
  }),
  listPublicInterfaces: operation({
    method: 'GET',
    path: '/v1/admin/hub/interfaces',
    access: 'account',
    summary: 'List public interfaces, newest first',
    query: listing,
    response: list,
    errors: ['InvalidQuery'],
  }),
  getPublicInterfaceById: operation({
    method: 'GET',
    path: '/v1/admin/hub/interfaces/{id}',
    access: 'account',
    summary: 'Get a public interface',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  getPublicInterface: operation({
    method: 'GET',
    path: '/v1/admin/hub/interfaces/{name}/{version}',
    access: 'account',
    summary: 'Get a public interface by name and version',
    params: byName,
    response,
    errors: ['ResourceNotFound'],
  }),
}
