// Admits the operators of the installation: owners of its first workspace.
import { ApiError } from '@botstead/contract'
import type { FastifyRequest } from 'fastify'
import { authentication, type Caller, type HttpServices } from '../http/index.ts'
import { isOperator } from './workspaces.ts'

/** Throws Forbidden. */
async function requireOperator({ db }: HttpServices, { accountId }: Caller<'account'>) {
  if (!(await isOperator(db, accountId)))
    throw new ApiError(
      'Forbidden',
      'Only an owner of the first workspace of this installation may see this',
    )
}

/** `work` is named in the error. */
async function admitOperator(
  services: HttpServices,
  request: FastifyRequest,
  work: string,
) {
  const access = { access: 'account', path: request.routeOptions.url ?? '' } as const
  const caller = (await authentication.admit(
    services,
    access,
    request,
  )) as Caller<'account'>
  // set before the check below, so that a rejection is recorded with its caller
  request.caller = caller
  const { accountId } = caller
  if (!(await isOperator(services.db, accountId)))
    throw new ApiError(
      'Forbidden',
      `${work} require the token of an owner of the first workspace of this installation`,
    )
}

/** Operators of the installation. */
export const operators = {
  admit: admitOperator,
  require: requireOperator,
}
