import { clientAddress } from '@botstead/lib'
import type { FastifyRequest } from 'fastify'
import type { Context, Services } from '../services.ts'

/** Returns the URL at which this caller reaches the server, without a trailing slash. */
export const getOrigin = ({
  services,
  request,
}: Pick<Context<unknown>, 'services' | 'request'>) =>
  services.config.publicUrl ?? `${request.protocol}://${request.host}`

/** Returns the IP address of the client. */
export const getAddress = (
  { config }: Pick<Services, 'config'>,
  { raw }: FastifyRequest,
) => clientAddress(raw, config.trustProxy)
